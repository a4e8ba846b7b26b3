import pytest

from mecuco_core.datasets.openml import describe_openml, load_openml
from mecuco_core.errors import DataError
from tests.openml_server import IRIS, iris


def test_without_declared_target_there_is_none(server):
    server.add(iris(64, name="untold", target=None))
    dataset = load_openml(64)
    assert dataset.target is None
    assert dataset.feature_names == ["length", "width", "class"]


def test_of_several_targets_the_first_is_used_and_none_is_a_feature(server, said):
    server.add(iris(65, name="multi", target="class, width"))
    dataset = load_openml(65, notify=said.append)
    assert dataset.target.name == "class"
    assert dataset.feature_names == ["length"]
    assert said == [
        "multi has 2 targets, none of them a feature: 'class' is used as target "
        "('width' could be named instead)"
    ]
    named = load_openml(65, target="width", notify=said.append)
    assert named.target.name == "width"
    assert named.feature_names == ["length"]
    assert len(said) == 1


def test_another_column_or_none_can_be_chosen_as_target(server):
    other = load_openml(61, target="width")
    assert other.target.name == "width"
    assert other.feature_names == ["length", "class"]
    none = load_openml(61, target=None)
    assert none.target is None
    assert none.feature_names == ["length", "width", "class"]


def test_a_declared_target_that_is_no_column_is_said(server, said):
    server.add(iris(66, name="lost", target="klass"))
    assert load_openml(66, notify=said.append).target is None
    assert said == ["the declared target 'klass' is not a column: there is none"]


@pytest.mark.parametrize(
    "declared",
    [
        {"ignore": ("length", "width")},
        {"ignore": ("length,width",)},
        {"ignore": ("'length', 'width'",)},
        {"ignore": ("width",), "row_id": "length"},
        {"row_id": "length,width"},
    ],
)
def test_row_identifiers_and_ignored_columns_are_left_out(server, said, declared):
    server.add(iris(67, name="ignoring", target=None, **declared))
    assert load_openml(67, notify=said.append).feature_names == ["class"]
    assert said == ["left out, as OpenML says: 'length', 'width'"]
    assert describe_openml(67).n_features == 1


def test_a_comma_may_belong_to_the_name_of_a_column(server):
    content = IRIS.replace(b"length", b"'length,class'")
    server.add(iris(68, name="comma", arff=content, ignore=("length,class",)))
    assert load_openml(68).feature_names == ["width"]


def test_an_unknown_target_is_refused(server):
    with pytest.raises(DataError, match="target must be a column of iris, got 'klass': there are"):
        load_openml(61, target="klass")


def test_a_dataset_without_features_is_refused(server):
    server.add(iris(69, name="bare", ignore=("length", "width")))
    with pytest.raises(DataError, match=r"bare@1 \(OpenML 69\) has no column left"):
        load_openml(69)
