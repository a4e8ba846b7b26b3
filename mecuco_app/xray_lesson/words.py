"""Formulas of the Score X-ray page with the numbers of one neighbourhood, and its steps."""

import numpy as np

from mecuco_app.lessons.guide import Step
from mecuco_app.lessons.numbers import row, tex
from mecuco_app.numerals import count, number, percent, plural
from mecuco_core._types import Mode
from mecuco_core.xray import LARGEST_BASIS, Xray

NAMES = {
    1: "Neighbours",
    2: "Centred patch",
    3: "Covariance",
    4: "W",
    5: "H",
    6: "H Hᵀ",
    7: "Trace",
}

STEPS = (
    Step(
        "Take the highest score of all",
        "The point that scores highest, and its neighbours: look how far away they are. The steps "
        "above follow the score from here.",
        {"focus": None, "xray.step": 1},
    ),
    Step(
        "Check the paper's identity",
        "Left the product as defined, right the short form. They agree to the last digits of a "
        "double: this part of the paper is simply true, and it turns O(m⁴) into O(m³).",
        {"xray.step": 6},
    ),
    Step(
        "See what the score is made of",
        "Blue is scatter alone. Green is all that the *directions* of the neighbourhood add, and "
        "it depends on the axes the data happen to be written in.",
        {"xray.step": 7},
    ),
)


def formulas(found: Xray, step: int) -> list[str]:
    """Return the formulas of a step with the numbers of this neighbourhood."""
    m, k, r = found.n_features, len(found.neighbors), found.rank
    lam = found.eigenvalues
    if step == 1:
        return [
            rf"\mathcal{{N}}_i = \mathrm{{kNN}}(\mathbf{{x}}_i,\, {k})",
            rf"\lVert \mathbf{{x}}_{{i_1}} - \mathbf{{x}}_i \rVert = {tex(found.distances[0])}",
            rf"\lVert \mathbf{{x}}_{{i_{{{k}}}}} - \mathbf{{x}}_i \rVert = "
            rf"{tex(found.distances[-1])}",
        ]
    if step == 2:
        return [
            r"X_c = \begin{pmatrix}(\mathbf{x}_{i_1} - \bar{\mathbf{x}})^\top\\ \vdots\\ "
            r"(\mathbf{x}_{i_k} - \bar{\mathbf{x}})^\top\end{pmatrix} \in "
            rf"\mathbb{{R}}^{{{k} \times {m}}}",
            rf"\lVert X_c \rVert_F^2 = {tex(float((found.patch**2).sum()))}",
        ]
    if step == 3:
        leading = r" + ".join(tex(value) for value in lam[: min(3, r)])
        dots = r" + \dots" if r > 3 else ""
        return [
            r"\boldsymbol{\Sigma} = \tfrac{1}{k-1} X_c^\top X_c = "
            r"W \operatorname{diag}(\boldsymbol{\lambda})\, W^\top",
            rf"\operatorname{{rank}} \boldsymbol{{\Sigma}} = {r} \le \min(k - 1, m) = "
            rf"\min({k - 1}, {m})",
            rf"\begin{{aligned}}\tau = \operatorname{{tr}} \boldsymbol{{\Sigma}} &= {leading}{dots}"
            rf"\\&= {tex(found.trace, 4)}\end{{aligned}}",
        ]
    if step == 4:
        shape = rf"\mathbb{{R}}^{{{m} \times {found.basis.shape[1]}}}"
        return [
            rf"W = [\mathbf{{w}}_1 \mid \dots \mid \mathbf{{w}}_{{{found.basis.shape[1]}}}] "
            rf"\in {shape}",
            rf"\max \lvert W^\top W - I \rvert = {_tiny(found.orthogonality)}",
            rf"\mathbf{{w}}_1 = {row(found.basis[:3, 0])[:-1]},\; \dots)",
        ]
    if step == 5:
        return [
            r"H = [\,\mathbf{w}_l \circ \mathbf{w}_l \mid \mathbf{w}_j \circ \mathbf{w}_l\,]_{j<l}",
            rf"H \in \mathbb{{R}}^{{{m} \times {found.n_products}}},\qquad "
            rf"{found.n_products} = \tfrac{{1}}{{2}}\cdot {m}\cdot {m + 1}",
        ]
    if step == 6:
        return _identity(found)
    return _trace(found)


def _identity(found: Xray) -> list[str]:
    head = r"H H^\top = \tfrac12 W^{(2)} \big(W^{(2)}\big)^\top + \tfrac12 I"
    if not found.complete:
        return [head]
    i = int(np.argmax((found.patch[:, found.shown] ** 2).sum(axis=0)))  # it varies most
    feature = int(found.shown[i]) + 1
    square = found.basis[found.shown[i]] ** 2
    return [
        head,
        rf"\big(H H^\top\big)_{{{feature},{feature}}} = {tex(found.gram[i, i], 6)}",
        rf"\tfrac12 \cdot {tex(float(square @ square), 6)} + \tfrac12 = "
        rf"{tex(found.identity[i, i], 6)}",
        rf"\max \lvert \text{{difference}} \rvert = {_tiny(found.identity_error)}",
    ]


def _trace(found: Xray) -> list[str]:
    mode: Mode = "exact" if found.complete else "haar"
    scatter, shape = found.halves[mode]
    lines = [
        r"\begin{aligned}\kappa &= \operatorname{tr}(H H^\top \boldsymbol{\Sigma})\\"
        r"&= \tfrac12 \tau + \tfrac12 \sum_s \lambda_s \sum_l C_{sl}^2\end{aligned}",
        r"C = W^\top W^{(2)}",
        rf"\tfrac12 \tau = {tex(scatter, 4)}\quad\text{{(scatter)}}",
        rf"{tex(shape, 4)}\quad\text{{(shape, {mode})}}",
        rf"\kappa = {tex(scatter, 4)} + {tex(shape, 4)} = {tex(scatter + shape, 4)}",
    ]
    if not np.isnan(found.traced):
        lines.append(
            r"\begin{gathered}\text{from the products:}\\"
            r"\operatorname{tr}(H H^\top \boldsymbol{\Sigma})"
            rf" = {tex(found.traced, 4)}\end{{gathered}}"
        )
    return lines


def sentence(found: Xray, step: int) -> str:
    """Return what a step is, in words."""
    m, k, r = found.n_features, len(found.neighbors), found.rank
    if step == 1:
        return f"The {k} points nearest to this one. The point itself is not among them."
    if step == 2:
        return (
            "Their mean is taken off: where the neighbourhood lies no longer matters. One row for "
            "each neighbour, nearest first."
        )
    if step == 3:
        first = percent(found.eigenvalues[:2].sum() / found.trace) if found.trace else "none"
        return (
            f"The eigenvectors of the covariance are the axes of an ellipsoid; its first two hold "
            f"{first} of the scatter τ. {_null(found)}"
        )
    if step == 4:
        said = (
            "The eigenvectors as columns, largest eigenvalue first. They are orthonormal, and that "
            "is all the identity needs."
        )
        if not found.complete:
            formed = "column of the range is" if r == 1 else f"{r} columns of the range are"
            said += (
                f" With m = {count(m)} features W has {count(m)}² entries; beyond "
                f"{count(LARGEST_BASIS)} features only the {formed} formed."
            )
        elif r < m:
            last = "column spans" if m - r == 1 else f"{m - r} columns span"
            said += f" The last {last} the null space: any other basis would do."
        return said
    if step == 5:
        said = (
            "Every product of two eigenvectors, entry by entry: first the squares, then the cross "
            "products. This is where the coordinates come in: a rotation changes these products."
        )
        if not found.complete:
            said += " Only products within the range are drawn here."
        return said
    if step == 6:
        if not found.complete:
            return (
                f"H would have {count(found.n_products)} columns, and W is not formed for more "
                f"than {count(LARGEST_BASIS)} features: nothing to check here."
            )
        shown = len(found.shown)
        whole = "all" if shown == m else f"the {shown} most varying of {count(m)}"
        return (
            f"Computed both ways for {whole} features, with all {count(found.n_products)} columns "
            f"of H: the largest difference is {number(found.identity_error, 2)}. The squares of W "
            "have rows that sum to one, so every entry on the diagonal is between ½ and 1."
        )
    return _split_sentence(found)


def _split_sentence(found: Xray) -> str:
    halves = found.halves
    said = [f"{mode} {number(sum(pair), 4)}" for mode, pair in halves.items()]
    low = found.trace / 2
    out = (
        f"κ by the modes: {', '.join(said)}; the bounds are ½ τ = {number(low, 4)} and τ = "
        f"{number(found.trace, 4)}. "
    )
    if halves["fast"][1] < 0:
        out += "fast as published falls below the lower bound here, which no basis can. "
    return out + (
        "This is a scatter with a factor for how the neighbourhood lies to the axes. It is not a "
        "mean curvature."
    )


def _null(found: Xray) -> str:
    gap = found.n_features - found.rank
    if gap == 0:
        return "The neighbours span the space."
    return (
        f"The neighbours span {found.rank} of {plural(found.n_features, 'dimension')}; the other "
        f"{count(gap)} {'is' if gap == 1 else 'are'} the null space, with λ = 0."
    )


def _tiny(value: float) -> str:
    """Return a difference that is rounding, as LaTeX."""
    if value == 0.0:
        return "0"
    mantissa, _, power = f"{value:.1e}".partition("e")
    return rf"{mantissa}\cdot 10^{{{int(power)}}}"
