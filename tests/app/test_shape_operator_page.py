"""The Shape operator page: a point of a surface, exactly and estimated."""

import numpy as np
import pytest

from mecuco_app.lessons.settings import SurfaceSettings
from mecuco_app.shape_lesson.estimate import estimate_task
from mecuco_app.shape_lesson.geometry import forms_of
from mecuco_core.datasets.manifolds import sample_manifold
from mecuco_core.shape_operator import shape_operator
from tests.app.rerunning import figures, opened, settled, texts

PAGE = "5_Shape_operator.py"


def formulas(app):
    return [str(one.value).strip("$\n") for one in app.latex]


@pytest.fixture(scope="module")
def rim():
    """The outer rim of the torus with R = 2 and r = 3/4, seen along the tube."""
    return opened(PAGE, **{"at-v": "0", "angle": "90", "around": "1000"})


def test_the_numbers_beside_the_formulas_are_those_computed_by_hand(rim):
    # κ₁ = -1 / (R + r) = -0.3636, κ₂ = -1 / r = -1.3333, H = -0.8485, K = 0.4848.
    said = formulas(rim)
    assert r"\kappa_1 = -0.364,\qquad \kappa_2 = -1.33" in said
    assert r"H = \tfrac12 \operatorname{tr} \mathcal{S} = -0.848" in said
    assert r"K = \det \mathcal{S} = 0.485" in said
    # G = diag((R + r)², r²) = diag(7.5625, 0.5625).
    assert any(r"\begin{pmatrix}7.56 & 0\\0 & 0.562\end{pmatrix}" in one for one in said)


def test_euler_s_formula_across_the_principal_direction_is_the_second_curvature(rim):
    (euler,) = [one for one in formulas(rim) if r"\cos^2" in one]
    assert r"\langle \mathcal{S}_p(\mathbf{t}), \mathbf{t}\rangle = -1.33" in euler
    assert r"\cos^2 90^\circ" in euler
    curve = figures(rim)["surface-euler"]["data"][0]
    assert curve["name"] == "exact"


def test_exact_and_estimated_values_stand_side_by_side(rim):
    found = estimate_task(SurfaceSettings(v=0.0, n_points=1000)).run()
    said = texts(rim)
    assert f"| 0.848 | {abs(found.mean):.3f} ± " in said
    assert "one bar is one standard error" in said
    assert abs(abs(found.mean) - 0.8485) < 4 * found.error


def test_the_estimate_is_the_engine_s_on_the_side_of_the_exact_normal():
    settings = SurfaceSettings("sphere", 0.4, 0.2, n_points=500)
    found = estimate_task(settings).run()
    sample = sample_manifold("sphere", 500)
    point = forms_of(settings)[1].point
    direct = shape_operator(np.vstack([point, sample.points]))
    assert found.mean == pytest.approx(-direct.mean_curvature[0])  # outward normal
    assert found.principal[0] >= found.principal[1]
    assert found.n_neighbors == direct.n_neighbors


def test_a_guided_step_sets_the_controls_and_the_address():
    app = opened(PAGE, around="500")
    assert not any("a saddle" in one.value for one in app.markdown)
    app.button(key="surface:try-2").click()
    settled(app)
    assert app.slider(key="surface.v").value == 0.5
    assert app.query_params["at-v"] == "0.5"
    assert "a saddle" in texts(app)
    # Inside, κ₁ = 1 / (R - r) = 0.8: one sign has changed.
    assert r"\kappa_1 = 0.800,\qquad \kappa_2 = -1.33" in formulas(app)


def test_a_link_opens_the_same_point_and_refuses_what_cannot_be():
    app = opened(PAGE, surface="cylinder", angle="700", around="500")
    assert app.selectbox(key="surface.name").value == "cylinder"
    assert app.slider(key="surface.angle").value == 35.0
    assert "angle\\=700" in app.warning[0].value


def test_every_figure_is_drawn(rim):
    assert set(figures(rim)) == {"surface-scene", "surface-euler", "surface-parameters"}
    names = [trace.get("name") for trace in figures(rim)["surface-scene"]["data"]]
    assert {"surface", "tangent plane", "osculating paraboloid", "circle of κ₁", "normal n"} <= set(
        names
    )


def test_a_sphere_says_that_every_direction_is_principal():
    assert "an umbilic" in texts(opened(PAGE, surface="sphere", around="500"))


@pytest.mark.parametrize("name", ["torus", "paraboloid", "saddle", "catenoid", "swiss-roll"])
def test_estimated_and_exact_curvatures_lie_on_the_same_side(name):
    settings = SurfaceSettings(name, 0.4, 0.4, n_points=3000)
    forms, found = forms_of(settings)[1], estimate_task(settings).run()
    assert found.normal @ forms.normal > 0.99
    np.testing.assert_allclose(found.principal, forms.principal, atol=0.05)
    assert found.mean == pytest.approx(forms.mean, abs=0.05)
    # The estimated curvature in a direction is the exact one: e₁ belongs to κ₁.
    along = found.normal_curvature(forms.directions)
    np.testing.assert_allclose(along, forms.principal, atol=0.05)
