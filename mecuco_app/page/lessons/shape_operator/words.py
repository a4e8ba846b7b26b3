"""Formulas of the Shape operator page with the numbers of one point, and its guided steps."""

import numpy as np

from mecuco_app.results.lessons.surface import Estimate
from mecuco_app.results.lessons.surface_geometry import Walk
from mecuco_app.screen.guide import Step
from mecuco_app.text.formulas import matrix, row, tex
from mecuco_app.text.numbers import count, number
from mecuco_app.view.lessons import SurfaceSettings
from mecuco_core.datasets.manifolds.fundamental_forms import FundamentalForms

INTRO = "How a surface bends at a point: exact, and estimated from a sample."

STEPS = (
    Step(
        "Stand on the outside of the ring",
        "Both circles of curvature lie on one side of the tangent plane: K > 0.",
        {"surface.name": "torus", "surface.u": 0.94, "surface.v": 0.0, "surface.angle": 90.0},
    ),
    Step(
        "Walk over to the inside",
        "One circle has changed sides: κ₁ > 0 > κ₂ and K < 0, a saddle.",
        {"surface.name": "torus", "surface.u": 0.94, "surface.v": 0.5},
    ),
    Step(
        "Bend without mean curvature",
        "On the catenoid κ₁ = −κ₂ everywhere: H = 0 though the surface bends.",
        {"surface.name": "catenoid", "surface.u": 0.94, "surface.v": 0.5, "surface.angle": 45.0},
    ),
)


_SIDES = {
    "plane": "up",
    "sphere": "outwards",
    "ellipsoid": "outwards",
    "cylinder": "towards the axis",
    "torus": "out of the tube",
    "saddle": "up",
    "paraboloid": "up, into the bowl",
    "catenoid": "away from the axis",
    "helicoid": "down where v > 0, up where v < 0",
    "swiss-roll": "into the roll",
    "moebius": "with no side of its own: the band has one side only, so n jumps over at u = 0",
    "monkey-saddle": "up",
}


def side_sentence(name: str) -> str:
    """Return the side that the normal of a surface is on, and what it means for signs."""
    bends = "κ > 0 where the surface bends towards n"
    return f"n always points along ∂u × ∂v: here {_SIDES[name]}. {bends}."


def form_lines(forms: FundamentalForms) -> list[str]:
    """Return the fundamental forms and the shape operator of the point, one formula a line."""
    return [
        rf"\begin{{aligned}}p &= \boldsymbol{{\phi}}({tex(forms.u)},\,{tex(forms.v)})\\"
        rf"&= {row(forms.point)}\end{{aligned}}",
        rf"\mathbf{{n}}(p) = {row(forms.normal)}",
        rf"G = J_{{\boldsymbol{{\phi}}}}^\top J_{{\boldsymbol{{\phi}}}} = {matrix(forms.first)}",
        rf"L = \big(\mathcal{{I\!I}}_p(\partial_i, \partial_j)\big) = {matrix(forms.second)}",
        rf"\mathcal{{S}} = G^{{-1}} L = {matrix(forms.operator)}",
    ]


def spectrum_lines(forms: FundamentalForms) -> list[str]:
    """Return principal, mean and Gaussian curvature of the point."""
    k1, k2 = forms.principal
    return [
        rf"\kappa_1 = {tex(k1)},\qquad \kappa_2 = {tex(k2)}",
        rf"H = \tfrac12 \operatorname{{tr}} \mathcal{{S}} = {tex(forms.mean)}",
        rf"K = \det \mathcal{{S}} = {tex(forms.gaussian)}",
    ]


def walk_lines(walked: Walk) -> list[str]:
    """Return the Weingarten equation along the walk, as a difference and in the limit."""
    return [
        rf"\mathbf{{t}} = {row(walked.tangent)}",
        r"\begin{gathered}\frac{\mathbf{n}(\boldsymbol{\alpha}(s)) - \mathbf{n}(p)}{s}"
        rf"\Big|_{{s = {tex(walked.step, 2)}}}\\= {row(walked.change)}\end{{gathered}}",
        r"\begin{aligned}D_{\mathbf{t}}\,\mathbf{n} &= -\mathcal{S}_p(\mathbf{t})\\"
        rf"&= {row(-walked.shape)}\end{{aligned}}",
    ]


def walk_sentence(walked: Walk) -> str:
    """Return how far the change of the normal on the walk is from the derivative."""
    difference = float(np.linalg.norm(walked.change + walked.shape))
    size = float(np.linalg.norm(walked.shape))
    length = number(walked.step, 2)
    ends = f" The walk ends after {length}, at the edge of the surface." if walked.to_edge else ""
    if size < 1e-9 and difference < 1e-9:
        return (
            f"The normal does not turn on this walk: $\\mathcal{{S}}_p(\\mathbf{{t}}) = 0$.{ends}"
        )
    if size < 1e-9:
        return (
            "To first order the normal does not turn in this direction: "
            "$\\mathcal{S}_p(\\mathbf{t}) = 0$. Over a walk of length "
            f"{length} it does, by {number(difference)} per unit length.{ends}"
        )
    return (
        f"The difference over a walk of length {length} is {number(difference)} away from "
        f"$-\\mathcal{{S}}_p(\\mathbf{{t}})$, of length {number(size)}.{ends}"
    )


def euler_line(forms: FundamentalForms, walked: Walk, angle: float) -> str:
    """Return Euler's formula at the chosen angle."""
    k1, k2 = forms.principal
    theta = rf"{angle:g}^\circ"
    cosine, sine = np.cos(np.deg2rad(angle)) ** 2, np.sin(np.deg2rad(angle)) ** 2
    return (
        r"\begin{aligned}"
        r"\mathcal{I\!I}_p(\mathbf{t},\mathbf{t}) &= \langle \mathcal{S}_p(\mathbf{t}), "
        rf"\mathbf{{t}}\rangle = {tex(float(walked.shape @ walked.tangent))}\\"
        rf"&= \kappa_1 \cos^2 {theta} + \kappa_2 \sin^2 {theta}\\"
        rf"&= {tex(k1)}\cdot {tex(cosine)} + ({tex(k2)})\cdot {tex(sine)}\\"
        rf"&= {tex(k1 * cosine + k2 * sine)}"
        r"\end{aligned}"
    )


def comparison(forms: FundamentalForms, found: Estimate) -> str:
    """Return exact and estimated values side by side, as a Markdown table."""
    bar = f"{number(abs(found.mean))} ± {number(found.error, 2)}"
    lines = [
        ("mean curvature \\|H\\|", number(abs(forms.mean)), bar),
        ("H, with its sign", number(forms.mean), number(found.mean)),
        ("κ₁", number(forms.principal[0]), number(found.principal[0])),
        ("κ₂", number(forms.principal[1]), number(found.principal[1])),
        ("Gaussian curvature K", number(forms.gaussian), number(found.gaussian)),
    ]
    head = "| at this point | exact | estimated |\n|:--|--:|--:|\n"
    return head + "\n".join(f"| {name} | {one} | {other} |" for name, one, other in lines)


def estimate_sentence(forms: FundamentalForms, found: Estimate, edge: float) -> str:
    """Return how good the estimate is, and what to make of its error bar."""
    off = abs(abs(found.mean) - abs(forms.mean))
    tilt = float(np.rad2deg(np.arccos(np.clip(found.normal @ forms.normal, -1.0, 1.0))))
    if np.isinf(found.error):
        return "The neighbours do not determine the fit here."
    bars = "no digit shown" if found.error == 0 else f"{number(off / found.error, 2)} error bars"
    said = (
        f"|H| is {number(off, 2)} off the truth: {bars} (one bar is one standard error). "
        f"The normal is {number(tilt, 2)}° off. Fit {number(found.goodness, 4)}."
    )
    if found.poor:
        said += " The fit is **poor**: do not trust it."
    if edge < found.radius:
        said += (
            f" The edge ({number(edge, 2)} away) is nearer than the farthest neighbour "
            f"({number(found.radius, 2)}): estimates are worse there."
        )
    return said


def sample_line(settings: SurfaceSettings, found: Estimate | None) -> str:
    """Return the caption: surface, point and sample."""
    line = (
        f"{settings.name} · n = {count(settings.n_points)} and the point itself · m = 3 · noise "
        f"{settings.noise:g} · seed {settings.seed}"
    )
    if found is None:
        return line
    fit = "cubic" if found.degree == 3 else "quadratic"
    return f"{line} · {fit} fit, k = {found.n_neighbors} (smallest bars)"
