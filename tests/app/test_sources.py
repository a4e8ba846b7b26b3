from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from mecuco_app.data import sources
from mecuco_app.data.sources import loaded, opened
from mecuco_app.view.settings import DataChoice, View
from mecuco_app.work.limits import Limits
from mecuco_core.datasets.base import Dataset
from mecuco_core.datasets.bundled import load_bundled
from mecuco_core.datasets.files import ReadOptions
from mecuco_core.errors import DataError
from mecuco_core.preparation.prepare import PAPER, Preparation


def test_a_bundled_set_is_loaded_by_name():
    found = loaded(DataChoice("bundled", "iris"))
    assert found.dataset.fingerprint == load_bundled("iris").fingerprint
    assert found.prepared.preparation == PAPER


def test_a_manifold_is_drawn_with_its_options_and_is_not_scaled():
    choice = DataChoice("manifold", "torus", (("n_points", 300), ("noise", 0.1), ("seed", 2)))
    found = loaded(choice)
    assert found.dataset.n_rows == 300
    assert found.prepared.preparation.scale == "none"
    assert loaded(choice).dataset.fingerprint == found.dataset.fingerprint


def test_another_target_can_be_chosen():
    found = loaded(DataChoice("bundled", "wine", target="alcohol"))
    assert found.dataset.target_name == "alcohol"


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        (DataChoice("bundled", "nothing"), "no bundled dataset"),
        (DataChoice("manifold", "torus", (("n_points", 10**9),)), "got 1,000,000,000 in 3$"),
        (DataChoice("manifold", "torus", (("n_points", 1e9),)), "got 1,000,000,000 in 3$"),
        (DataChoice("manifold", "torus", (("nonsense", 1),)), "nonsense"),
        (DataChoice("manifold", "klein"), "name must be one of"),
        (DataChoice("bundled", "iris", target="colour"), "colour"),
    ],
)
def test_a_wrong_choice_is_one_sentence(choice, words):
    with pytest.raises(DataError, match=words):
        loaded(choice)


def test_a_link_to_an_upload_says_what_to_do():
    view = View(data=DataChoice("file", "mine.csv", fingerprint="abcdef0123"))
    with pytest.raises(DataError, match=r"mine.csv.*abcdef0123.*upload it on Home"):
        opened(view)


def test_a_preparation_that_does_not_fit_gives_way_and_is_said():
    view = View(data=DataChoice("bundled", "iris"), preparation=Preparation(exclude=("nowhere",)))
    found = opened(view)
    assert found.prepared.preparation == PAPER
    assert "does not fit" in found.notes[-1]


def test_a_target_that_is_not_there_gives_way_and_is_said():
    wanted = Preparation(scale="min-max")
    view = View(data=DataChoice("bundled", "iris", target="nosuch"), preparation=wanted)
    found = opened(view)
    assert found.dataset.name == "iris"
    assert found.prepared.preparation == wanted
    assert "The target in this address does not fit the data" in found.notes[-1]
    worse = replace(view, preparation=Preparation(exclude=("nosuch",)))
    assert "The target or the preparation" in opened(worse).notes[-1]


def test_a_table_larger_than_the_server_takes_is_refused_with_a_way_out(monkeypatch):
    monkeypatch.setattr(sources, "LIMITS", Limits(million_cells=1))
    table = pd.DataFrame(np.zeros((1001, 1000))).rename(columns=str)
    with pytest.raises(DataError, match="1,001 × 1,000 values, more than the 1 million"):
        sources.checked(Dataset("large", table))
    small = Dataset("small", table.iloc[:1000])
    assert sources.checked(small) is small


def test_a_file_is_read_and_prepared_with_its_progress():
    told = []
    content = b"a,b,class\n" + b"".join(b"%d,%d,x\n" % (i, i * i) for i in range(20))
    found = sources.from_file(
        content, ReadOptions(), "t.csv", report=lambda share, text: told.append(text)
    )
    assert found.choice.fingerprint == found.dataset.fingerprint
    assert found.prepared.points.shape[0] == 20
    assert list(dict.fromkeys(told)) == ["Reading the file", "Preparing the points"]
