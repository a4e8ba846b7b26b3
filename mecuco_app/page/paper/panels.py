"""The parts of the Paper page."""

import pandas as pd
import streamlit as st

from mecuco_app.page.paper import measured, words
from mecuco_app.page.paper.comparison import compared, results, shown_columns
from mecuco_app.page.paper.styling import styled
from mecuco_app.plots import paper as plots
from mecuco_app.scene.look import Look
from mecuco_app.screen import state
from mecuco_app.screen.figure_card import figure_card
from mecuco_app.screen.tables import draw_table, own_key
from mecuco_app.text.escape import literal
from mecuco_app.text.numbers import plural
from mecuco_app.view.settings import PaperColumns
from mecuco_core.reproduction import shipped_about
from mecuco_core.reproduction.published import TABLES

_HEIGHT = 460


def pickers() -> tuple[int, PaperColumns]:
    """Draw the choice of table and of what is shown of it, and return both."""
    settings = state.view().paper
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.segmented_control(
            "Table",
            TABLES,
            required=True,
            wrap=True,
            **state.bound("paper.table", settings.table),
        )
        options = shown_columns(settings.table)
        columns = settings.columns if settings.columns in options else "scores"
        st.segmented_control(
            "Figures",
            options,
            format_func=words.LABELS.__getitem__,
            required=True,
            wrap=True,
            **state.bound("paper.columns", columns),
        )
    return settings.table, columns


def table_panel(table: int, columns: PaperColumns) -> None:
    """Draw a table of the paper beside ours; a tick chooses the dataset."""
    frame = compared(table, columns)
    st.markdown(f"**{words.title(table)}** · {literal(words.verdict(table))}")
    key = f"paper:{table}:{columns}"
    names = frame["dataset"].tolist()
    draw_table(
        styled(frame, decimals=0 if columns == "time" else 4),
        key,
        hide_index=True,
        height=_HEIGHT,
        on_select=lambda: _tick(key, names),
        selection_mode="single-row",
        placeholder="–",
        column_config={"why": st.column_config.TextColumn(width="large")},
        alt=f"{words.title(table)}, ours beside the published figures",
    )
    st.caption(f"{words.LEGEND[columns]} Tick a row to choose it.")


def _tick(key: str, names: list[str]) -> None:
    """Look at the dataset whose row was ticked."""
    event = state.widget(own_key(key))
    rows = [] if event is None else event["selection"]["rows"]
    if rows and rows[0] < len(names):
        state.session().change("paper.dataset", names[rows[0]])


def reasons_panel() -> None:
    """Draw why figures differ, and what made ours."""
    about = shipped_about()
    with st.expander("Why figures differ"):
        st.markdown(words.WHY)
    with st.expander("What made these numbers"):
        st.markdown(literal(words.made_by(about)))
        st.code(about["command"], language="bash")
        shown = {name: about[name] for name in about if name not in ("command", "settings")}
        shown |= {f"{name}": value for name, value in about["settings"].items()}
        draw_table(
            pd.DataFrame({"what": shown.keys(), "value": [str(v) for v in shown.values()]}),
            "paper:machine",
            hide_index=True,
        )


def figures(look: Look) -> None:
    """Draw the figures that the tables have no room for."""
    found = results()
    n_datasets = found[found["n"].notna()]["dataset"].nunique()
    line = f"{plural(n_datasets, 'dataset')} of the shipped results"
    left, right = st.columns(2, gap="medium")
    with left:
        figure_card(
            plots.error_over_ratio(measured.errors(found), look=look),
            title="Error of fast, as published, and of haar",
            caption=(
                f"{line} · over the mean in random null-space bases, over haar where those took "
                "too long"
            ),
            key="paper-error",
        )
    with right:
        figure_card(
            plots.speedup_over_features(measured.speedups(found), look=look),
            title="Speed-up over original",
            caption=(f"{line} · original projected from a sample where it was skipped"),
            key="paper-speed-up",
        )
    for place, name, what in ((left, "n", "points, n"), (right, "m", "features, m")):
        series, exponents = measured.timings(found, name)
        other = "features" if name == "n" else "points"
        with place:
            figure_card(
                plots.time_over(series, what, look=look),
                title=f"Time against {what.split(',')[0]}",
                caption=(
                    f"{line} · at the median number of {other}: "
                    f"{words.powers([one.mode for one in series], exponents)}"
                ),
                key=f"paper-time-{name}",
            )
