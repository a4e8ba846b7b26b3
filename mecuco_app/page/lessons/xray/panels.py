"""The parts of the Score X-ray page."""

import numpy as np
import streamlit as st

from mecuco_app.page.lessons.xray import words
from mecuco_app.page.lessons.xray.formulas import formulas
from mecuco_app.plots.lessons import xray as plots
from mecuco_app.plots.scatter import Focus, point_map
from mecuco_app.results import maps
from mecuco_app.scene.caption import caption
from mecuco_app.scene.colours import ramp
from mecuco_app.scene.drawing import drawn_points
from mecuco_app.scene.look import Look
from mecuco_app.scene.selection import position_of_row
from mecuco_app.screen import state
from mecuco_app.screen.figure_card import figure_card
from mecuco_app.text.escape import plotly
from mecuco_app.text.numbers import number
from mecuco_app.view.lessons import XRAY_STEPS
from mecuco_core.diagnostics.xray import Xray
from mecuco_core.preparation.prepare import Prepared
from mecuco_core.score.curvature import Curvature
from mecuco_core.types import FloatArray, IntArray, Mode

MOST_DRAWN = 30
"""Rows and columns of a matrix that are drawn."""


def position_of(result: Curvature, prepared: Prepared) -> int:
    """Return the point looked at: the one chosen, else the highest score; says so."""
    row = state.view().focus
    chosen = position_of_row(row, prepared)
    if chosen is not None:
        return chosen
    if row is not None:
        st.warning(f"Row {row} is not among the points: showing the highest score.")
    return int(np.argmax(result.values))


def row_control(prepared: Prepared, position: int) -> None:
    """Draw the choice of the row."""
    rows = prepared.rows
    st.number_input(
        "Row",
        int(rows[0]),
        max(int(rows[-1]), int(rows[0]) + 1),
        step=1,
        help="Position in the table, from 0.",
        **state.bound("focus", int(rows[position]), of_data=True),
    )


def navigator() -> int:
    """Draw the steps and return the one chosen."""
    step = state.view().xray.step
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Back", key="xray:back", disabled=step == 1, on_click=_go, args=(step - 1,))
        st.segmented_control(
            "Step",
            list(words.NAMES),
            format_func=lambda number: f"{number} {words.NAMES[number]}",
            required=True,
            label_visibility="collapsed",
            **state.bound("xray.step", step),
        )
        st.button("Next", key="xray:next", disabled=step == XRAY_STEPS, on_click=_go,
                  args=(step + 1,))  # fmt: skip
    return step


def _go(step: int) -> None:
    state.session().change("xray.step", step)


def explained(found: Xray, step: int, result: Curvature) -> None:
    """Draw what a step says, and its formulas."""
    st.markdown(words.sentence(found, step, result))
    for formula in formulas(found, step, result):
        st.latex(formula)


def picture(
    found: Xray,
    step: int,
    prepared: Prepared,
    result: Curvature,
    line: str,
    look: Look,
) -> None:
    """Draw the figure of a step."""
    if step == 1:
        _neighbours(found, prepared, result, line, look)
    elif step == 2:
        _patch(found, prepared, line, look)
    elif step == 3:
        _ellipse(found, line, look)
    elif step == 7:
        _shares(found, result.mode, line, look)
    elif step == 6:
        _two_products(found, result.mode, prepared, line, look)
    else:
        _matrix(found, step, result.mode, prepared, line, look)


def _neighbours(found: Xray, prepared: Prepared, result: Curvature, line: str, look: Look) -> None:
    coordinates = maps.pca_of(prepared)
    some = drawn_points(len(coordinates), 2, None, result.values)
    group = np.append(found.neighbors, found.position)
    drawn = np.union1d(some.positions, group)
    focus = Focus(
        int(np.searchsorted(drawn, found.position)), np.searchsorted(drawn, found.neighbors)
    )
    figure_card(
        point_map(
            coordinates[drawn],
            ramp(result.values[drawn], "auto"),
            title="score κ (a.u.)",
            hover=[prepared.rows[drawn].astype(np.float64)],
            hover_names=["row"],
            focus=focus,
            axes=("PC 1", "PC 2"),
            revision=f"xray:{prepared.fingerprint}",
            look=look,
        ),
        title="The point and its neighbours",
        caption=caption(line, "PCA", some.note),
        key="xray-neighbours",
    )


def _few(found: Xray) -> IntArray:
    """Return the features that are drawn, of those with the largest local variance."""
    if found.n_features <= MOST_DRAWN:
        return np.arange(found.n_features)
    spread = (found.patch**2).sum(axis=0)
    return np.sort(np.argsort(-spread, kind="stable")[:MOST_DRAWN])


def _names(prepared: Prepared, features: IntArray) -> list[str]:
    return [plotly(prepared.feature_names[feature], 14) for feature in features]


def _note(found: Xray) -> str:
    if found.n_features <= MOST_DRAWN:
        return ""
    return f"the {MOST_DRAWN} features with the largest local variance of {found.n_features}"


def _patch(found: Xray, prepared: Prepared, line: str, look: Look) -> None:
    few = _few(found)
    rows = [f"row {row}" for row in prepared.rows[found.neighbors]]
    figure_card(
        plots.heat_map(
            found.patch[:, few], rows=rows, columns=_names(prepared, few),
            axes=("neighbours", "features"), look=look,
        ),
        title="The centred patch X_c",
        caption=caption(line, _note(found)),
        key="xray-patch",
    )  # fmt: skip


def _ellipse(found: Xray, line: str, look: Look) -> None:
    places = np.zeros((len(found.neighbors), 2))
    own = found.patch @ found.basis[:, :2]
    places[:, : own.shape[1]] = own
    lam = np.append(found.eigenvalues[:2], [0.0, 0.0])
    figure_card(
        plots.covariance_ellipse(places, (float(lam[0]) ** 0.5, float(lam[1]) ** 0.5), look=look),
        title="The patch along w₁ and w₂",
        caption=line,
        key="xray-ellipse",
        made_from=(line, look),
    )


def _matrix(found: Xray, step: int, mode: Mode, prepared: Prepared, line: str, look: Look) -> None:
    few = _few(found)
    features, note = _names(prepared, few), caption(line, _note(found))
    averaged = found.averages(mode)
    n = min(MOST_DRAWN, found.rank if averaged else found.basis.shape[1])
    if step == 4:
        values, columns = found.basis[few, :n], [f"w{s + 1}" for s in range(n)]
        axes, key = ("features", "eigenvectors"), "basis"
        title = "V, the eigenvectors with λ > 0" if averaged else "W, its first columns"
    elif averaged:
        own = found.basis[few, : found.rank]
        values, columns = np.eye(len(few)) - own @ own.T, features
        axes, key, title = ("", ""), "products", "P, the projector on the null space"
    else:
        values, columns = _products(found, few)
        axes, key = ("features", "products of eigenvectors"), "products"
        title = "H: some squares, then some cross products"
    if values.size == 0:
        return
    figure_card(
        plots.heat_map(values, rows=features, columns=columns, axes=axes, look=look),
        title=title,
        caption=note,
        key=f"xray-{key}",
    )


def _two_products(found: Xray, mode: Mode, prepared: Prepared, line: str, look: Look) -> None:
    """Draw H Hᵀ as the mode has it, on the right, beside what it is compared with."""
    left, right = found.compared(mode), found.product(mode)
    titles = ("H Hᵀ, from the products", "½ W²W²ᵀ + ½ I")
    if found.averages(mode):
        titles = {
            "haar": ("H Hᵀ in the basis of exact", "M, the average over all bases"),
            "fast": ("The average over all bases", "M as published"),
        }[mode]
    elif left is None:
        return
    at = np.flatnonzero(np.isin(found.shown, _few(found)))
    names = _names(prepared, found.shown[at])
    off_diagonal = np.abs(right - np.diag(np.diag(right)))[np.ix_(at, at)]
    limit = min(1.0, max(4 * float(off_diagonal.max(initial=0.0)), 1e-3))
    drawn = [(left, titles[0], "gram"), (right, titles[1], "identity")]
    for column, (values, title, key) in zip(st.columns(2), drawn, strict=True):
        if values is None:
            continue
        diagonal = np.diag(values)[at]
        with column:
            figure_card(
                plots.heat_map(
                    values[np.ix_(at, at)], rows=names, columns=names, axes=("", ""),
                    signed=False, square=True, limit=limit, look=look,
                ),
                title=title,
                caption=caption(
                    line, _note(found),
                    f"colours end at {number(limit, 2)}; the diagonal is from "
                    f"{number(diagonal.min(), 2)} to {number(diagonal.max(), 2)}",
                ),
                key=f"xray-{key}",
            )  # fmt: skip


def _products(found: Xray, few: IntArray) -> tuple[FloatArray, list[str]]:
    """Return the first products (features, columns) with their names: half squares, half cross."""
    W = found.basis[few]  # noqa: N806 - the paper's letter
    n = min(12, W.shape[1])
    j, l = np.triu_indices(min(6, W.shape[1]), k=1)  # noqa: E741
    values = np.hstack([W[:, :n] ** 2, W[:, j] * W[:, l]])
    names = [f"w{a + 1}∘w{a + 1}" for a in range(n)]
    names += [f"w{a + 1}∘w{b + 1}" for a, b in zip(j, l, strict=True)]
    return values, names


def _shares(found: Xray, mode: Mode, line: str, look: Look) -> None:
    if not found.complete and not found.averages(mode):
        st.info("This needs W, which is not formed here.")
        return
    figure_card(
        plots.eigenvalue_shares(
            found.eigenvalues[: found.rank], found.shares(mode), mode=mode, look=look
        ),
        title="What every eigenvector gives to the score",
        caption=line,
        key="xray-shares",
        made_from=(line, look),
    )
