"""What an address asks for that the data cannot show."""

from dataclasses import replace

import pytest

from mecuco_app.data.sources import loaded
from mecuco_app.scene.fitting import fitted
from mecuco_app.view.settings import DataChoice, SelectionRule, View, changed


@pytest.fixture(scope="module")
def iris():
    return loaded(DataChoice("bundled", "iris"))


def test_a_view_that_fits_stays_as_it_is(iris):
    view = changed(View(data=iris.choice, rule=SelectionRule("rows", rows=(0, 149))), "focus", 149)
    view = changed(changed(view, "score.n_neighbors", 60), "colour.by", "label")
    found = fitted(view, iris.dataset, iris.prepared)
    assert found.view == view
    assert found.changes == ()


@pytest.mark.parametrize(
    ("path", "asked", "shown", "change"),
    [
        ("score.n_neighbors", 900, 60, "k=900 (60 is the most here)"),
        ("colour.by", "true_mean_curvature", "score", "colour=true_mean_curvature"),
        ("colour.column", "nope", None, "column=nope"),
        ("map.columns", ("nope", "petal length (cm)"), ("petal length (cm)",), "axes=nope"),
        ("focus", 150, None, "point=150"),
        ("boundary.n_clusters", 99, 15, "clusters=99 (15 is the most here)"),
    ],
)
def test_what_does_not_fit_is_put_right_and_named(iris, path, asked, shown, change):
    view = View(data=iris.choice)
    found = fitted(changed(view, path, asked), iris.dataset, iris.prepared)
    assert found.view == changed(view, path, shown)
    assert found.changes == (change,)


def test_rows_that_are_not_there_leave_the_selection(iris):
    view = View(data=iris.choice, rule=SelectionRule("rows", rows=(3, 200, 300)))
    found = fitted(view, iris.dataset, iris.prepared)
    assert found.view.rule.rows == (3,)
    assert found.changes == ("select=2 rows that are not there",)
    none = replace(view, rule=SelectionRule("rows", rows=(200,)))
    left = fitted(none, iris.dataset, iris.prepared)
    assert left.view.rule == SelectionRule()
    assert left.changes == ("select=1 row that is not there",)
