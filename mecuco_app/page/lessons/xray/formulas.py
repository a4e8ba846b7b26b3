"""Formulas of the Score X-ray page, with the numbers of one neighbourhood in the mode chosen."""

import numpy as np

from mecuco_app.text.formulas import row, tex
from mecuco_core.diagnostics.xray import Xray
from mecuco_core.score.curvature import Curvature


def formulas(found: Xray, step: int, result: Curvature) -> list[str]:
    """Return the formulas of a step of the score `result`, as LaTeX."""
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
    averaged = found.averages(result.mode)
    if step == 4:
        return _eigenvectors(found, averaged)
    if step == 5:
        return _average(found, result) if averaged else _products(found)
    if step == 6:
        return _averaged_product(found, result) if averaged else _identity(found)
    return _averaged_trace(found, result) if averaged else _trace(found, result)


def _eigenvectors(found: Xray, averaged: bool) -> list[str]:
    letter, n = ("V", found.rank) if averaged else ("W", found.basis.shape[1])
    own = found.basis[:, :n]
    orthogonality = float(np.abs(own.T @ own - np.eye(n)).max(initial=0.0))
    lines = [
        rf"{letter} = [\mathbf{{w}}_1 \mid \dots \mid \mathbf{{w}}_{{{n}}}] "
        rf"\in \mathbb{{R}}^{{{found.n_features} \times {n}}}",
        rf"\max \lvert {letter}^\top {letter} - I \rvert = {_tiny(orthogonality)}",
    ]
    if n:
        lines.append(rf"\mathbf{{w}}_1 = {row(found.basis[:3, 0])[:-1]},\; \dots)")
    return lines


def _products(found: Xray) -> list[str]:
    m = found.n_features
    return [
        r"H = [\,\mathbf{w}_l \circ \mathbf{w}_l \mid \mathbf{w}_j \circ \mathbf{w}_l\,]_{j<l}",
        rf"H \in \mathbb{{R}}^{{{m} \times {found.n_products}}},\qquad "
        rf"{found.n_products} = \tfrac{{1}}{{2}}\cdot {m}\cdot {m + 1}",
    ]


def _average(found: Xray, result: Curvature) -> list[str]:
    gap = found.n_null
    lines = [
        rf"P = I - V V^\top,\qquad n_0 = {found.n_features} - {found.rank} = {gap}",
        r"\mathbb{E}\Big[\sum_{l > r} w_{il}^2 w_{jl}^2\Big] = "
        rf"\frac{{P_{{ii}} P_{{jj}} + 2 P_{{ij}}^2}}{{n_0 + 2 = {gap + 2}}}",
    ]
    if result.mode == "fast":
        lines.append(
            r"\text{fast: } \frac{P_{ii} P_{jj} + 2 \big((V V^\top)_{ij}^2 - I_{ij}\big)}"
            rf"{{n_0 = {gap}}}"
        )
    return lines


def _identity(found: Xray) -> list[str]:
    head = r"H H^\top = \tfrac12 W^{(2)} \big(W^{(2)}\big)^\top + \tfrac12 I"
    if not found.complete:
        return [head]
    i, feature = _most_varying(found)
    square = found.basis[found.shown[i]] ** 2
    return [
        head,
        rf"\big(H H^\top\big)_{{{feature},{feature}}} = {tex(found.gram[i, i], 6)}",
        rf"\tfrac12 \cdot {tex(float(square @ square), 6)} + \tfrac12 = "
        rf"{tex(found.identity[i, i], 6)}",
        rf"\max \lvert \text{{difference}} \rvert = {_tiny(found.identity_error)}",
    ]


def _averaged_product(found: Xray, result: Curvature) -> list[str]:
    i, feature = _most_varying(found)
    null = {
        "haar": rf"\frac{{\mathbf{{d}} \mathbf{{d}}^\top + 2 P \circ P}}{{{found.n_null + 2}}}",
        "fast": r"\frac{\mathbf{d} \mathbf{d}^\top + 2 \big(V V^\top \circ V V^\top - I\big)}"
        rf"{{{found.n_null}}}",
    }
    return [
        rf"\begin{{aligned}}M &= \tfrac12 V^{{(2)}} \big(V^{{(2)}}\big)^\top\\ &+ \tfrac12 "
        rf"{null[result.mode]} + \tfrac12 I\end{{aligned}}",
        r"\mathbf{d} = \operatorname{diag} P",
        rf"M_{{{feature},{feature}}} = {tex(found.product(result.mode)[i, i], 6)}",
    ]


def _averaged_trace(found: Xray, result: Curvature) -> list[str]:
    fast, mode = result.mode == "fast", result.mode
    divisor = found.n_null if fast else found.n_null + 2
    b = r"t_B" if fast else "b"
    t_range, a, middle = (
        found.over_range(terms) for terms in (found.in_range, found.edge, found.middle(mode))
    )
    scatter, alignment = 0.5 * found.trace, 0.5 * (t_range + (a + 2 * middle) / divisor)
    traced = r"\operatorname{tr}(M \boldsymbol{\Sigma})"
    whole = rf"\tfrac12 \tau + \tfrac12 \Big(t + \frac{{a + 2 {b}}}{{{divisor}}}\Big)"
    added = _sum(scatter, alignment)
    if fast:
        whole, traced = rf"\Big\lvert {whole} \Big\rvert", rf"\lvert {traced} \rvert"
        added = rf"\lvert {added} \rvert"
    squared = r"V V^\top \circ V V^\top - I" if fast else r"P \circ P"
    return [
        rf"\begin{{aligned}}\kappa &= {traced}\\&= {whole}\end{{aligned}}",
        r"t = \operatorname{tr}\big(V^{(2)} (V^{(2)})^\top \boldsymbol{\Sigma}\big)",
        rf"a = \mathbf{{d}}^\top \boldsymbol{{\Sigma}}\, \mathbf{{d}},\quad "
        rf"{b} = \operatorname{{tr}}\big(({squared})\, \boldsymbol{{\Sigma}}\big)",
        rf"t = {tex(t_range, 4)},\quad a = {tex(a, 4)},\quad {b} = {tex(middle, 4)}",
        rf"\tfrac12 \tau = {tex(scatter, 4)}\quad\text{{(scatter)}}",
        rf"{tex(alignment, 4)}\quad\text{{(alignment, {mode})}}",
        rf"\kappa_{{\text{{{mode}}}}} = {added} = {tex(sum(found.halves(mode)), 4)}",
    ]


def _trace(found: Xray, result: Curvature) -> list[str]:
    mode, i = result.mode, found.position
    halves = found.halves(mode)
    if np.isnan(halves[1]):  # W is not formed here: the numbers are those of the score itself
        halves = float(result.scatter[i]), float(result.alignment[i])
    lines = [
        r"\begin{aligned}\kappa &= \operatorname{tr}(H H^\top \boldsymbol{\Sigma})\\"
        r"&= \tfrac12 \tau + \tfrac12 \sum_s \lambda_s \sum_l C_{sl}^2\end{aligned}",
        r"C = W^\top W^{(2)}",
        rf"\tfrac12 \tau = {tex(halves[0], 4)}\quad\text{{(scatter)}}",
        rf"{tex(halves[1], 4)}\quad\text{{(alignment, {mode})}}",
        rf"\kappa_{{\text{{{mode}}}}} = {_sum(*halves)} = {tex(sum(halves), 4)}",
    ]
    if not np.isnan(found.traced):
        lines.append(
            r"\begin{gathered}\text{from the products:}\\"
            r"\operatorname{tr}(H H^\top \boldsymbol{\Sigma})"
            rf" = {tex(found.traced, 4)}\end{{gathered}}"
        )
    return lines


def _most_varying(found: Xray) -> tuple[int, int]:
    """Return the feature that varies most: its place among those shown, and its number from 1."""
    i = int(np.argmax((found.patch[:, found.shown] ** 2).sum(axis=0)))
    return i, int(found.shown[i]) + 1


def _sum(a: float, b: float) -> str:
    return f"{tex(a, 4)} {'-' if b < 0 else '+'} {tex(abs(b), 4)}"


def _tiny(value: float) -> str:
    """Return a difference that is rounding, as LaTeX."""
    if value == 0.0:
        return "0"
    mantissa, _, power = f"{value:.1e}".partition("e")
    return rf"{mantissa}\cdot 10^{{{int(power)}}}"
