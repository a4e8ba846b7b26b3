"""The Boundary points page in every state."""

import re

import numpy as np
import pandas as pd
import pytest

import mecuco as mc
from mecuco_app.data.classes import classes_of
from mecuco_app.results.analyses import clusters_of, removal_task, stability_k
from mecuco_app.view.settings import BoundarySettings, ScoreSettings
from mecuco_core.datasets.base import Dataset
from mecuco_core.datasets.bundled import load_bundled
from mecuco_core.preparation.prepare import prepare
from tests.app.rerunning import figures, opened, settled, texts

PAGE = "3_Boundary_points.py"
MEASURES = [
    f"boundary-{name}"
    for name in ("silhouette", "calinski_harabasz", "davies_bouldin", "ari", "nmi", "ari_all")
]


@pytest.fixture(scope="module")
def iris():
    return opened(PAGE, data="bundled:iris", map="pca")


def test_the_split_is_that_of_the_engine(iris):
    points = prepare(load_bundled("iris")).points
    split = mc.boundary_points(mc.curvature(points), percentile=75)
    assert f"{len(split.indices)} points of 150 score above" in texts(iris)
    smooth, boundary = figures(iris)["boundary-map"]["data"]
    assert (smooth["name"], boundary["name"]) == ("smooth", "boundary")
    table = iris.dataframe[0].value
    assert table["row"].tolist() == split.indices.tolist()
    assert list(table.columns[:5]) == ["place", "row", "score", "label", "why"]
    assert table["why"].str.len().min() > 0


def test_the_page_can_be_taken_along_as_link_and_code(iris):
    link, python, command = (code.value for code in iris.code)
    assert "data=bundled" in link
    assert "mc.boundary_points(result, percentile=75.0)" in python
    assert command.startswith("mecuco score iris")


def test_the_map_of_columns_is_honoured():
    app = opened(PAGE, data="bundled:iris", map="columns")
    spec = figures(app)["boundary-map"]
    assert spec["layout"]["xaxis"]["title"]["text"] == "sepal length (cm)"


def test_moving_the_percentile_changes_list_and_address():
    app = opened(PAGE, data="bundled:iris", map="pca")
    app.slider(key="boundary.percentile").set_value(90.0)
    settled(app)
    assert len(app.dataframe[0].value) == 15
    assert "the 90th percentile" in texts(app)
    assert app.query_params["cut"] == "90"


def test_a_percentile_out_of_range_in_the_address_is_refused_and_said():
    app = opened(PAGE, data="bundled:iris", map="pca", cut="100")
    assert app.slider(key="boundary.percentile").value == 75.0
    assert "cut\\=100" in app.warning[0].value


def test_stability_shows_the_overlap_matrix_and_ribbons(iris):
    drawn = figures(iris)
    ks = stability_k(prepare(load_bundled("iris")), 7)
    assert [int(k) for k in drawn["boundary-overlap"]["data"][0]["x"]] == ks.tolist()
    assert len(drawn["boundary-ribbons"]["data"]) == 13
    assert "values of k from" in texts(iris)


@pytest.mark.parametrize("which", ["highest", "unstable"])
def test_other_points_can_be_drawn_as_lines(which):
    app = opened(PAGE, data="bundled:iris", map="pca")
    before = [trace["name"] for trace in figures(app)["boundary-ribbons"]["data"]]
    app.button_group(key="boundary.lines").set_value(which)
    settled(app)
    after = [trace["name"] for trace in figures(app)["boundary-ribbons"]["data"]]
    assert before != after


def test_clustering_runs_when_asked_for_and_shows_every_control():
    app = opened(PAGE, data="bundled:iris", map="pca")
    assert MEASURES[0] not in figures(app)
    app.button(key="clustering:start").click()
    settled(app)
    said = texts(app)
    assert "The ARI of all points of k-means is" in said
    assert "compare with the controls" in said
    panels = [figures(app)[name] for name in MEASURES]
    assert panels[0]["data"][0]["y"] == [
        "nothing removed", "highest score", "at random", "largest k-NN distance", "highest LOF",
    ]  # fmt: skip
    assert len(app.dataframe[1].value) == 5


def test_without_classes_there_is_no_ari():
    app = opened(PAGE, data="bundled:diabetes", map="pca", clusters="3")
    app.button(key="clustering:start").click()
    settled(app)
    assert [name in figures(app) for name in MEASURES] == [True] * 3 + [False] * 3
    assert "ARI" not in "".join(app.dataframe[1].value.columns)


def test_a_percentile_that_keeps_too_few_points_is_said_in_words():
    app = opened(PAGE, data="bundled:iris", map="pca", cut="2")
    app.button(key="clustering:start").click()
    settled(app)
    assert "a clustering needs at least 10: raise it" in texts(app).replace("\\", "")


def uploaded(app, content):
    app.file_uploader(key="upload").set_value(("mine.csv", content, "text/csv"))
    settled(app)
    app.button(key="upload:load").click()
    return settled(app)


@pytest.mark.parametrize("kind", ["a cloud", "four places"])
def test_a_clustering_that_finds_nothing_is_one_sentence(kind):
    rng = np.random.default_rng(0)
    points = rng.standard_normal((300, 20))
    if kind == "four places":
        points[:] = np.repeat(points[:4], 75, axis=0)
    content = (
        pd.DataFrame(points, columns=list("abcdefghijklmnopqrst")).to_csv(index=False).encode()
    )
    app = uploaded(opened("app.py", clustering="hdbscan", map="pca"), content)
    app.switch_page(f"pages/{PAGE}")
    settled(app)
    app.button(key="clustering:start").click()
    settled(app)
    assert not app.exception
    said = texts(app)
    assert ("cannot be ranked" if kind == "a cloud" else "there is nothing to leave out") in said
    assert MEASURES[0] not in figures(app)
    assert "Would another k list the same points?" in said


def test_few_points_are_said_to_be_few():
    content = b"a,b\n" + b"".join(b"%d,%d\n" % (i, i * i % 5) for i in range(6))
    app = uploaded(opened("app.py", map="pca"), content)
    app.switch_page(f"pages/{PAGE}")
    settled(app)
    app.button(key="clustering:start").click()
    settled(app)
    assert "A clustering needs at least 10 points, and there are 6" in texts(app).replace("\\", "")


def test_no_more_points_stay_on_a_list_than_are_on_it():
    app = opened(PAGE, data="bundled:iris", map="pca", mode="haar", cut="1")
    kept, listed = re.search(r"(\d+) points of the (\d+) on the list", texts(app)).groups()
    assert int(kept) <= int(listed)


def test_the_number_of_clusters_is_that_of_the_classes_unless_chosen():
    classes = classes_of(prepare(load_bundled("iris")).target)
    assert clusters_of(BoundarySettings(), classes, 150) == 3
    assert clusters_of(BoundarySettings(n_clusters=7), classes, 150) == 7
    assert clusters_of(BoundarySettings(n_clusters=70), classes, 150) == 15
    assert clusters_of(BoundarySettings(), None, 150) == 8


def test_another_target_is_another_clustering_task():
    dataset = load_bundled("iris")
    turned = Dataset("iris", dataset.table, dataset.target.iloc[::-1].reset_index(drop=True))
    keys = []
    for one in (dataset, turned):
        prepared = prepare(one)
        task = removal_task(
            one, prepared, ScoreSettings(), BoundarySettings(), classes_of(prepared.target)
        )
        keys.append(task.key)
    assert keys[0] != keys[1]


@pytest.mark.parametrize(("n_points", "k"), [(150, 7), (150, 60), (5, 3), (4, 2)])
def test_the_k_of_the_stability_view_are_possible_and_hold_the_current_one(n_points, k):
    points = np.random.default_rng(0).standard_normal((n_points, 3))
    ks = stability_k(_Points(points), k)
    assert k in ks
    assert len(ks) >= 2
    assert ks.min() >= 2
    assert ks.max() <= n_points - 1


class _Points:
    def __init__(self, points):
        self.points = points
