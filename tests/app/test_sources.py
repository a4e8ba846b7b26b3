import pytest

from mecuco_app.settings import DataChoice, View
from mecuco_app.sources import OnlyUploadedError, loaded, opened
from mecuco_core.datasets.base import DataError
from mecuco_core.datasets.bundled import load_bundled
from mecuco_core.datasets.preparation import PAPER, Preparation


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
    with pytest.raises(OnlyUploadedError, match=r"mine.csv.*abcdef0123.*upload it on Home"):
        opened(view)


def test_a_preparation_that_does_not_fit_gives_way_and_is_said():
    view = View(data=DataChoice("bundled", "iris"), preparation=Preparation(exclude=("nowhere",)))
    found = opened(view)
    assert found.prepared.preparation == PAPER
    assert "does not fit" in found.notes[-1]
