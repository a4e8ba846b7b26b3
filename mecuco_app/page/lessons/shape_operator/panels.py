"""The parts of the Shape operator page."""

import numpy as np
import streamlit as st

from mecuco_app.page.lessons.shape_operator import words
from mecuco_app.plots.lessons.shape_operator import curvature_by_angle, parameter_map
from mecuco_app.plots.lessons.surface import WALK, Arrow, Drawing, Line, Sheet, surface_scene
from mecuco_app.results.lessons import surface_geometry
from mecuco_app.results.lessons.surface import Estimate
from mecuco_app.results.lessons.surface_geometry import Walk
from mecuco_app.scene.caption import caption
from mecuco_app.scene.look import TRUTH, Look
from mecuco_app.screen import state
from mecuco_app.screen.browser.chart import chart
from mecuco_app.screen.controls.sample import MOST_SEED, noise_slider, points_slider, seed_input
from mecuco_app.screen.figure_card import figure_card
from mecuco_app.text.escape import literal
from mecuco_app.text.numbers import number
from mecuco_app.view.lessons import SURFACES
from mecuco_core.datasets.manifolds import MANIFOLDS, ParametricSurface
from mecuco_core.datasets.manifolds.fundamental_forms import FundamentalForms
from mecuco_core.types import FloatArray

_MAP = "surface-parameters"
_GRID = 31


def sidebar() -> None:
    """Draw the choice of the surface and of the sample around the point."""
    settings = state.view().surface
    st.selectbox(
        "Surface",
        SURFACES,
        **state.bound("surface.name", settings.name),
    )
    st.caption(MANIFOLDS[settings.name].description)
    st.markdown("**Sample**")
    points_slider("Points", 200, **state.bound("surface.n_points", settings.n_points))
    noise_slider(0.2, 0.005, **state.bound("surface.noise", settings.noise))
    seed_input(**state.bound("surface.seed", min(settings.seed, MOST_SEED)))


def sliders(forms: FundamentalForms) -> None:
    """Draw where the point is, and which way the walk goes."""
    settings = state.view().surface
    first, second, third, fourth = st.columns(4)
    first.slider(
        "u", 0.0, 1.0, step=0.01,
        **state.bound("surface.u", settings.u),
    )  # fmt: skip
    second.slider(
        "v", 0.0, 1.0, step=0.01,
        **state.bound("surface.v", settings.v),
    )  # fmt: skip
    third.slider(
        "Direction θ of t", 0.0, 360.0, step=5.0, format="%.4g°",
        help="From e₁ towards e₂.",
        **state.bound("surface.angle", settings.angle),
    )  # fmt: skip
    zero = surface_geometry.asymptotic(forms, settings.angle)
    third.button(
        "Turn t to II(t, t) = 0",
        key="surface:asymptotic",
        help="The nearest asymptotic direction, where K < 0.",
        disabled=zero is None,
        on_click=lambda: state.session().change("surface.angle", zero),
    )
    fourth.slider(
        "Length s", 0.01, 0.6, step=0.01,
        help="Along a geodesic.",
        **state.bound("surface.step", settings.step),
    )  # fmt: skip
    if forms.umbilic:
        st.caption("κ₁ = κ₂ here, an umbilic: every direction is principal.")


def scene(
    surface: ParametricSurface,
    forms: FundamentalForms,
    walked: Walk,
    found: Estimate | None,
    line: str,
    look: Look,
) -> None:
    """Draw the surface with all that belongs to the point."""
    points, values = surface_geometry.mesh(surface)
    size = surface_geometry.extent(points)
    reach, length = 0.2 * size, 0.26 * size
    p, normal = forms.point, forms.normal
    tip = p + length * normal
    e1, e2, pink, sky = *forms.directions, look.labels[3], look.labels[4]
    bowl = min(reach, 0.9 / max(float(np.abs(forms.principal).max()), 1e-9))
    every = range(6, len(walked.path), 6)
    arrows = [
        Arrow("normal n", p, tip, look.text),
        Arrow("e₁", p, p + reach * e1, pink),
        Arrow("e₂", p, p + reach * e2, sky),
        Arrow("t", p, p + reach * walked.tangent, WALK),
        *(
            Arrow("", walked.path[i], walked.path[i] + length * walked.normals[i], look.text, True)
            for i in every
        ),
        Arrow("n after the step", p, p + length * walked.normals[-1], look.muted, True),
        Arrow("−s S(t)", tip, tip - length * walked.step * walked.shape, TRUTH),
    ]
    lines = [
        Line("circle of κ₁", surface_geometry.circle(forms, 0, 1.2 * size), pink),
        Line("circle of κ₂", surface_geometry.circle(forms, 1, 1.2 * size), sky),
        Line("walk", walked.path, WALK),
    ]
    sheets = [
        Sheet("tangent plane", surface_geometry.plane_patch(forms, reach), look.muted, 0.45),
        Sheet("osculating paraboloid", surface_geometry.paraboloid_patch(forms, bowl), TRUTH, 0.5),
    ]
    dots = np.empty((0, 3)) if found is None else found.neighbors
    figure_card(
        surface_scene(
            points,
            values,
            Drawing(p, arrows, lines, sheets, dots),
            title="exact |H|",
            revision=state.view().surface.name,
            look=look,
        ),
        title="How the surface bends at the point",
        caption=line,
        key="surface-scene",
        made_from=(state.view().surface, found is None, look),
    )


def formulas(forms: FundamentalForms, walked: Walk) -> None:
    """Draw the formulas of section 2 of the paper, with the numbers of this point."""
    st.markdown("**Forms and operator** (exact)")
    st.caption(words.side_sentence(state.view().surface.name))
    for formula in words.form_lines(forms) + words.spectrum_lines(forms):
        st.latex(formula)
    st.markdown("**The normal turns as you walk** (Weingarten)")
    for formula in words.walk_lines(walked):
        st.latex(formula)
    st.markdown(words.walk_sentence(walked))


def euler(
    forms: FundamentalForms, walked: Walk, found: Estimate | None, line: str, look: Look
) -> None:
    """Draw the curvature against the direction."""
    angle = state.view().surface.angle
    angles = np.linspace(0.0, 360.0, 121)
    tangents = np.stack([forms.direction(a) for a in np.deg2rad(angles)])
    figure_card(
        curvature_by_angle(
            angles,
            np.array([forms.normal_curvature(t) for t in tangents]),
            None if found is None else found.normal_curvature(tangents),
            principal=(float(forms.principal[0]), float(forms.principal[1])),
            at=(angle, forms.normal_curvature(walked.tangent)),
            look=look,
        ),
        title="II(t, t) against the direction of t",
        caption=line,
        key="surface-euler",
        made_from=(state.view().surface, found is None, look),
    )
    st.latex(words.euler_line(forms, walked, angle))


def comparison(
    surface: ParametricSurface, forms: FundamentalForms, found: Estimate, line: str
) -> None:
    """Draw exact and estimated values side by side."""
    st.markdown("**Exact and estimated**")
    st.markdown(words.comparison(forms, found))
    edge = float(surface.edge_distance(np.array([[forms.u, forms.v]]))[0])
    st.markdown(words.estimate_sentence(forms, found, edge).replace("|H|", r"\|H\|"))
    st.caption(literal(caption(line)))


def parameters(surface: ParametricSurface, line: str, look: Look) -> None:
    """Draw the range of the parameters, where a click moves the point."""
    settings = state.view().surface
    axis = (np.arange(_GRID) + 0.5) / _GRID
    shares = np.stack(np.meshgrid(axis, axis, indexing="ij"), axis=-1).reshape(-1, 2)
    ends = np.array(surface.domain)
    u, v = (ends[:, 0] + shares * (ends[:, 1] - ends[:, 0])).T
    names = [
        f"{name} from {number(low)} to {number(high)}"
        for name, (low, high) in zip("uv", surface.domain, strict=True)
    ]
    st.markdown("**Click here to move the point**")
    figure = parameter_map(
        shares,
        np.abs(surface.signed_mean(u, v)),
        (settings.u, settings.v),
        title="exact |H|",
        names=(names[0], names[1]),
        look=look,
    )
    chart(
        figure,
        _MAP,
        alt="The parameters u and v, coloured by the exact mean curvature.",
        on_select=lambda: _move(shares),
        selection_mode="points",
        displayModeBar=False,
    )
    st.caption(literal(caption(line, "coloured by the exact |H|")))


def _move(shares: FloatArray) -> None:
    event = state.widget(_MAP) or {}
    for picked in event.get("selection", {}).get("points", []):
        if picked["curve_number"] == 1:
            u, v = shares[picked["point_index"]].round(3).tolist()
            state.session().change("surface.u", u)
            state.session().change("surface.v", v)
            return
