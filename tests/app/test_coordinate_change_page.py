"""Which top points stay on top when the coordinates change."""

import numpy as np
import pytest

import mecuco as mc
from mecuco_core.datasets.bundled import load_bundled
from mecuco_core.diagnostics.coordinates import coordinate_change, rotated
from mecuco_core.preparation.prepare import prepare
from tests.app.rerunning import figures, opened, settled, texts

PAGE = "9_Gauge.py"


@pytest.fixture(scope="module")
def page():
    return opened(PAGE, data="bundled:wine", mode="haar", top="10")


@pytest.fixture(scope="module")
def points():
    return prepare(load_bundled("wine")).points


def formulas(app):
    return "\n".join(str(one.value) for one in app.latex)


def test_the_highest_score_before_and_after_is_computed_by_hand(page, points):
    before = mc.curvature(points, mode="haar")
    top = int(np.argmax(before.values))
    after = mc.curvature(rotated(points, 0), mode="haar")[top]
    said = formulas(page)
    assert rf"\kappa:\; {before[top]:.3f} \to {after:.3f}" in said
    # τ is the trace of the covariance of the neighbours, whichever way they are turned.
    patch = points[before.graph.indices[top]]
    tau = f"{np.cov(patch.T).trace():.2f}"
    assert rf"\tau:\; {tau} \to {tau}" in said
    assert f"row {top}, the highest score before" in texts(page)


def test_the_survivors_are_counted_by_hand(page, points):
    before = mc.curvature(points, mode="haar").values
    after = mc.curvature(rotated(points, 0), mode="haar").values
    size = 18  # ten percent of 178
    kept = set(np.argsort(-before)[:size]) & set(np.argsort(-after)[:size])
    said = texts(page).replace("\\", "")
    assert f"Of the 18 points with the highest score, {len(kept)} stay on top" in said
    assert "By the local scatter τ alone 18 would" in said
    drawn = figures(page)["change-before"]["data"][1]
    assert drawn["name"] == f"top before and after ({len(kept)})"


def test_the_list_says_where_every_top_point_went(page, points):
    table = page.dataframe[0].value
    change = coordinate_change(points, mc.curvature(points, mode="haar"))
    assert list(table["rank before"][:3]) == [1, 2, 3]
    first = int(table["row"][0])
    assert table["rank after"][0] == 1 + int((change.after.values > change.after[first]).sum())
    assert len(table) == 18
    assert table["times on top"].between(0, 8).all()


def test_every_figure_is_drawn_with_its_caption(page):
    assert set(figures(page)) == {
        "change-before", "change-after", "change-ranks", "change-overlap", "change-stability",
    }  # fmt: skip
    said = [one.value.replace("\\", "").replace("\u202f", " ") for one in page.caption]
    assert (
        sum(
            "wine · 178 × 13 · standardised as in the paper · haar, k = 7 · rotation" in one
            for one in said
        )
        == 5
    )


def test_guided_steps_change_the_coordinates_and_the_address():
    app = opened(PAGE, data="bundled:wine", mode="haar")
    app.button(key="change:try-3").click()
    settled(app)
    assert app.query_params["gauge"] == "whitening"
    assert "after whitening" in texts(app)
    assert "change-stability" not in figures(app)
    app.button(key="change:try-2").click()
    settled(app)
    assert app.query_params["gauge"] == "rescaling"
    assert "another unit for every feature" in texts(app)


def test_bad_values_in_the_address_fall_back():
    app = opened(PAGE, data="bundled:wine", gauge="shear", top="90")
    assert "gauge\\=shear" in app.warning[0].value
    assert app.slider(key="change.top").value == 5.0
