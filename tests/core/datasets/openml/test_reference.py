import pytest

from mecuco_core.datasets.openml import Reference, parse_reference
from mecuco_core.errors import DataError


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (61, Reference(id=61)),
        ("61", Reference(id=61)),
        (" iris ", Reference(name="iris")),
        ("iris@2", Reference(name="iris", version=2)),
        ("iris@v2", Reference(name="iris", version=2)),
        ("me@home", Reference(name="me@home")),
        ("me@home@3", Reference(name="me@home", version=3)),
    ],
)
def test_ids_names_and_versions_are_told_apart(given, meant):
    assert parse_reference(given) == meant


def test_a_version_may_be_an_argument():
    assert parse_reference("iris", 2) == parse_reference("iris@2", 2) == parse_reference("iris@2")


def test_only_an_id_or_a_version_means_one_dataset_for_ever():
    assert parse_reference(61).exact
    assert parse_reference("iris@1").exact
    assert not parse_reference("iris").exact


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("", None), "id_or_name is empty"),
        ((0, None), "an OpenML id must be 1 or more, got 0"),
        (("-3", None), "an OpenML id must be 1 or more, got -3"),
        ((True, None), "id_or_name must be a number or a name, got True"),
        ((6.5, None), "id_or_name must be a number or a name, got 6.5"),
        (("iris", 0), "version must be 1 or more, got 0"),
        (("iris@2", 3), "version is 3, but 'iris@2' already names another"),
    ],
)
def test_what_names_no_dataset_is_refused(arguments, sentence):
    with pytest.raises(DataError, match=sentence):
        parse_reference(*arguments)
