"""One entry in the table of measures, and every part of the product has it."""

import io
import json

import numpy as np
import pandas as pd
import pytest

import mecuco as mc
from mecuco_app.takeaway.export import Contents, score_table
from mecuco_app.view import links
from mecuco_app.view.settings import ColourSettings, View
from mecuco_core.cli.commands import main
from mecuco_core.datasets.bundled import load_bundled
from mecuco_core.measures import MEASURES, Measure
from mecuco_core.preparation.prepare import prepare
from tests.app.rerunning import figures, settled, texts
from tests.app.test_takeaways import scene_of

PAGE = "pages/1_Explore.py"


@pytest.fixture
def entry(monkeypatch):
    """A measure that the product does not have, entered in the one place."""
    made = Measure(
        name="nearest_distance",
        title="Nearest distance",
        explanation="Distance to the nearest neighbour: finds repeated rows, sees nothing else.",
        needs=("graph",),
        compute=lambda graph: graph.distances[:, 0],
    )
    monkeypatch.setitem(MEASURES, made.name, made)
    return made


@pytest.fixture
def nearest():
    return mc.knn_graph(prepare(load_bundled("wine")).points, 7).distances[:, 0]


def colour_menu(app):
    return app.selectbox(key="colour.by")


def test_a_new_measure_is_a_colour_with_hover_column_card_and_histogram(opened, entry, nearest):
    app = opened(PAGE, data="bundled:wine", point="5")
    assert entry.title in colour_menu(app).options
    assert entry.name not in app.dataframe[0].value
    colour_menu(app).set_value(entry.name)
    settled(app)

    points = figures(app)["map"]["data"][0]
    assert f"nearest distance {nearest[5]:.4g}" in points["hovertext"][5]
    assert points["marker"]["colorbar"]["title"]["text"] == entry.title
    assert f"coloured by {entry.title}" in texts(app)
    table = next(one.value for one in app.dataframe if "why" in one.value.columns)
    np.testing.assert_array_equal(table[entry.name], nearest[table["row"]])
    assert f"nearest distance {nearest[5]:.3g}" in texts(app).replace("\\", "")

    app.segmented_control(key="histogram:of").set_value(entry.name)
    settled(app)
    axis = figures(app)["histogram"]["layout"]["xaxis"]
    assert axis["title"]["text"].startswith("nearest distance")

    colours = next(one for one in app.multiselect if one.key == "export:measures")
    assert entry.title in colours.options


def test_a_new_measure_is_in_links(opened, entry):
    view = View(colour=ColourSettings(entry.name))
    address = links.encoded(view)
    assert address["colour"] == entry.name
    assert links.decoded(address) == links.Opened(view)
    app = opened(PAGE, data="bundled:wine", colour=entry.name)
    assert colour_menu(app).value == entry.name
    assert f"coloured by {entry.title}" in texts(app)


def test_a_new_measure_is_exported_by_app_and_command_line(opened, entry, nearest, capsys):
    from tests.app.test_takeaways import DataChoice, loaded

    scene, result = scene_of(loaded(DataChoice("bundled", "wine")))
    table = score_table(scene, result, Contents(measures=("score", entry.name)))
    np.testing.assert_array_equal(table[entry.name], nearest)

    assert main(["score", "wine", "--measures", f"score,{entry.name}"]) == 0
    written = pd.read_csv(io.StringIO(capsys.readouterr().out))
    assert list(written.columns) == ["row", "score", entry.name]
    np.testing.assert_allclose(written[entry.name], nearest, rtol=1e-12)

    assert main(["measures"]) == 0
    assert entry.explanation in " ".join(capsys.readouterr().out.split())
    assert main(["measures", "--json"]) == 0
    assert entry.name in [one["name"] for one in json.loads(capsys.readouterr().out)]
