"""The Shape operator page: a point of a surface, exactly and estimated."""

import numpy as np
import pytest

from mecuco_app.page.lessons.shape_operator import words
from mecuco_app.results.lessons.surface import estimate_task
from mecuco_app.results.lessons.surface_geometry import forms_of, walk
from mecuco_app.view.lessons import SURFACES, SurfaceSettings
from mecuco_core.datasets.manifolds import sample_manifold
from mecuco_core.surface.shape_operator import shape_operator
from tests.app.rerunning import figures, opened, settled, texts
from tests.app.to_scale import units

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


def walked(name, u, v, angle=35.0, step=0.4):
    settings = SurfaceSettings(name, u, v, angle, step)
    surface, forms = forms_of(settings)
    return walk(surface, forms, settings)


@pytest.mark.parametrize("name", SURFACES)
def test_a_walk_of_length_s_has_length_s(name):
    found = walked(name, 0.45, 0.45)
    chords = np.linalg.norm(np.diff(found.path, axis=0), axis=1).sum()
    assert found.step == 0.4
    assert chords == pytest.approx(0.4, abs=1e-4)  # 24 chords are a little shorter than their arcs


def test_a_walk_that_comes_to_the_edge_says_so():
    said = words.walk_sentence(walked("plane", 0.5, 1.0, angle=90.0))
    # Places are kept 2 % off an edge: 0.04 of a height of 2.
    assert "The walk ends after 0.040, at the edge of the surface." in said
    assert "edge" not in words.walk_sentence(walked("plane", 0.5, 0.5))


def test_at_the_middle_of_a_monkey_saddle_the_normal_turns_but_not_to_first_order():
    said = words.walk_sentence(walked("monkey-saddle", 0.5, 0.5))
    assert said.startswith("To first order the normal does not turn in this direction")
    # z = r³ cos 3θ climbs by about 3 s², and so the normal turns by about 3 s per length.
    turn = float(np.linalg.norm(walked("monkey-saddle", 0.5, 0.5, step=0.01).change))
    assert turn == pytest.approx(0.03, rel=1e-3)
    assert "does not turn on this walk" in words.walk_sentence(walked("plane", 0.5, 0.5))


def test_the_button_turns_t_to_where_the_curvature_is_zero():
    app = opened(PAGE, **{"at-v": "0.5", "around": "500"})
    app.button(key="surface:asymptotic").click()
    settled(app)
    # κ₁ = 1 / (R − r) = 0.8 and κ₂ = −1 / r = −4/3: tan² θ = 0.6, θ = 37.761…°.
    assert app.slider(key="surface.angle").value == pytest.approx(37.76124391, abs=1e-8)
    assert app.query_params["angle"].startswith("37.761")
    (euler,) = [one for one in formulas(app) if r"\cos^2" in one]
    assert r"\mathbf{t}\rangle = 0\\" in euler
    assert r"\cos^2 37.7612^\circ" in euler
    assert euler.endswith(r"&= 0\end{aligned}")


def test_where_no_direction_has_curvature_zero_there_is_nothing_to_turn_to(rim):
    assert rim.button(key="surface:asymptotic").disabled


def test_turning_t_does_not_end_the_guided_step_that_asks_for_it():
    app = opened(PAGE, around="500")
    app.button(key="surface:try-2").click()
    settled(app)
    app.button(key="surface:asymptotic").click()
    assert "a saddle" in texts(settled(app))


def test_a_fit_to_the_third_degree_is_called_cubic(rim):
    assert "cubic fit" in texts(rim)
    assert "quadric of degree" not in texts(rim)


@pytest.mark.parametrize("name", SURFACES)
def test_the_side_of_the_normal_is_said_and_true(name):
    said = words.side_sentence(name)
    assert "n always points along ∂u × ∂v" in said
    for u in (0.1, 0.35, 0.7):
        for v in (0.2, 0.6, 0.85):
            forms = forms_of(SurfaceSettings(name, u, v))[1]
            assert np.cross(*forms.tangents) @ forms.normal > 0
            x, y, z = forms.point
            n = forms.normal
            middle = {"torus": np.array([x, y, 0.0]) * 2 / np.hypot(x, y)}.get(name, np.zeros(3))
            true = {
                "up": n[2] > 0,
                "up, into the bowl": n[2] > 0 and forms.mean > 0,
                "outwards": n @ forms.point > 0,
                "out of the tube": n @ (forms.point - middle) > 0,
                "towards the axis": n @ [x, 0.0, z] < 0,
                "into the roll": n @ [x, 0.0, z] < 0,
                "away from the axis": n @ [x, y, 0.0] > 0,
                "down where v > 0, up where v < 0": n[2] * forms.v < 0,
            }
            (side,) = [one for one in true if f"here {one}." in said] or [None]
            assert name == "moebius" if side is None else true[side]


def test_the_normal_of_a_moebius_band_comes_back_on_its_other_side():
    before, after = (
        forms_of(SurfaceSettings("moebius", u, 0.5))[1].normal for u in (1.0 - 1e-9, 0.0)
    )
    assert before @ after == pytest.approx(-1.0)
    assert "one side only" in words.side_sentence("moebius")


def test_the_page_says_on_which_side_the_normal_is(rim):
    assert "here out of the tube. κ > 0 where the surface bends towards n" in texts(rim)


@pytest.mark.parametrize(
    "choices",
    [{"surface": "sphere"}, {"surface": "sphere", "at-u": "0.3", "walk": "0.6"}, {"at-v": "0.5"}],
)
def test_the_scene_is_to_scale_and_holds_the_surface_and_every_arrow(choices):
    scene = figures(opened(PAGE, around="500", **choices))["surface-scene"]
    np.testing.assert_allclose(units(scene["layout"]["scene"]), 1.0, rtol=1e-6)
    names = [trace.get("name") for trace in scene["data"]]
    assert "−s S(t)" in names
    for trace in scene["data"]:
        if trace["type"] == "cone" or trace.get("name") == "surface":
            for axis in "xyz":
                low, high = scene["layout"]["scene"][f"{axis}axis"]["range"]
                assert low < np.min(trace[axis])
                assert np.max(trace[axis]) < high


def test_a_figure_drawn_anew_is_turned_and_hidden_as_it_was_left():
    app = opened(PAGE, around="500")
    before = figures(app)["surface-scene"]
    eye = {"x": 2.0, "y": 0.1, "z": 0.3}
    camera = {"eye": eye, "center": {"x": 0, "y": 0, "z": 0}, "up": {"x": 0, "y": 0, "z": 1}}
    told = {"revision": "torus", "hidden": ["normal n"], **camera}
    app.session_state["mecuco"].memory["surface-scene:seen"] = told
    # Not at once: the browser shows it already.
    assert figures(settled(app))["surface-scene"] == before
    app.slider(key="surface.angle").set_value(90.0)
    after = figures(settled(app))["surface-scene"]
    assert after["layout"]["scene"]["camera"]["eye"] == eye
    hidden = [one.get("name") for one in after["data"] if one.get("visible") == "legendonly"]
    assert hidden == ["normal n", "normal n"]  # its shaft and its head
    # Another surface is seen from where it is seen best.
    app.selectbox(key="surface.name").set_value("saddle")
    fresh = opened(PAGE, surface="saddle", angle="90", around="500")
    usual = figures(fresh)["surface-scene"]["layout"]["scene"]["camera"]
    assert figures(settled(app))["surface-scene"]["layout"]["scene"]["camera"] == usual
