"""A file from the visitor: sniffed, shown, corrected, and only then loaded."""

from typing import Any

import pandas as pd
import streamlit as st

from mecuco_app.data.sources import Loaded, content_print, from_file
from mecuco_app.page.home.corrections import correct_all, corrections, options_of
from mecuco_app.results.looking import sniff_task
from mecuco_app.screen import loading, state, waiting
from mecuco_app.screen.tables import draw_table
from mecuco_app.text.escape import cell, distinct, markdown
from mecuco_app.text.numbers import plural
from mecuco_app.view.settings import DataChoice
from mecuco_app.work.jobs import Report
from mecuco_app.work.limits import LIMITS
from mecuco_core.datasets.files import ReadOptions, Sniffed
from mecuco_core.runtime.wording import spoken_bytes

KEY = "upload"
_PREVIEW_COLUMNS = 60
_WAITING = "upload:waiting"


def arrived() -> None:
    """Take a file the visitor has sent; the one a link waits for is loaded as the link says."""
    state.remember("card", "file")
    session = state.session()
    # What was said of the last file would be read as said of this one.
    notes = session.loaded.notes if session.loaded is not None else ()
    spoken = {markdown(note, 400) for note in notes}
    for notice in [notice for notice in session.notices if notice.text in spoken]:
        session.dismiss(notice)
    uploaded, awaited = state.widget(KEY), session.awaited
    state.remember(_WAITING, None)
    if uploaded is None or awaited is None or _too_large(uploaded):
        return
    content = uploaded.getvalue()
    if content_print(content) == awaited.data.content:
        place = _place(uploaded)
        if awaited.data.asked is not None:
            correct_all(place, awaited.data.asked)
        _load(uploaded.name, content, awaited.data.asked or ReadOptions())


def kept(uploaded: Any) -> Any:
    """Return the file in the box; once the page was left, the one that was not loaded yet.

    What was corrected of how it is read is known by the file, and so stays with it.
    """
    if uploaded is None:
        return state.recalled(_WAITING, None)
    state.remember(_WAITING, None if _is_loaded(uploaded) else uploaded)
    return uploaded


def upload_details(uploaded: Any) -> None:
    """Draw what a file seems to be, ways to correct that, and the button that loads it."""
    current = _is_loaded(uploaded)
    with st.expander(f"How {markdown(uploaded.name)} is read", expanded=not current):
        if _too_large(uploaded):
            st.error(
                f"{markdown(uploaded.name)} has {spoken_bytes(uploaded.size)}, more than the "
                f"{LIMITS.upload_megabytes} MB this page takes: "
                "use `mecuco score` for it, or a sample."
            )
            return
        place = _place(uploaded)
        content = uploaded.getvalue()
        options = options_of(place)
        task = sniff_task(uploaded.file_id, content, uploaded.name, options)
        sniffed = waiting.result("sniff", task, wait=_patience())
        known = sniffed or state.recalled(f"{place}:sniffed", None)
        if sniffed is not None:
            state.remember(f"{place}:sniffed", sniffed)
            _preview(uploaded.name, sniffed)
        corrections(place, known)
        if sniffed is not None:
            empty = len(sniffed.preview) == 0
            if empty:
                st.warning(
                    "This table has a header but no rows. If its first line holds data, correct "
                    "the header above."
                )
            st.button(
                "Load this table",
                key="upload:load",
                type="primary",
                disabled=empty,
                on_click=lambda: _load(uploaded.name, content, options_of(place)),
            )


def _is_loaded(uploaded: Any) -> bool:
    """Whether the data that are shown were read from this file."""
    session = state.session()
    if session.loaded is None or session.view.data.source != "file" or _too_large(uploaded):
        return False
    return session.view.data.content == _content_print(uploaded)


def _content_print(uploaded: Any) -> str:
    """Return what its bytes are known by, read once."""
    of, known = state.recalled("upload:print", (None, ""))
    if of != uploaded.file_id:
        known = content_print(uploaded.getvalue())
        state.remember("upload:print", (uploaded.file_id, known))
    return str(known)


def _patience() -> float:
    """Return how long to wait for the look of a file."""
    # While data are on their way what stands below shows the former ones until this run has ended.
    session = state.session()
    on_its_way = session.loaded is None and session.missing is None
    return 0.0 if on_its_way else waiting.PATIENCE


def _preview(name: str, sniffed: Sniffed) -> None:
    packed = "" if sniffed.compression == "none" else f" in {sniffed.compression}"
    st.markdown(
        f"**{markdown(name)}** · {sniffed.format.upper()}{packed}, {spoken_bytes(sniffed.n_bytes)}"
    )
    for note in sniffed.notes:
        st.caption(markdown(note, 300))
    shown = sniffed.preview.iloc[:, :_PREVIEW_COLUMNS]
    draw_table(_plain(shown), "upload:preview", height=213, hide_index=True)
    hidden = sniffed.preview.shape[1] - shown.shape[1]
    if hidden:
        verb = "is" if hidden == 1 else "are"
        st.caption(f"{plural(hidden, 'more column')} {verb} read and not shown.")


def _plain(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table with short names, all different, and without formulas."""
    shown = frame.set_axis(distinct(list(frame.columns), 40), axis=1)
    for name in shown.columns:
        if shown[name].dtype.kind not in "biufMm":
            known = shown[name].notna()
            shown[name] = shown[name].astype(object).map(cell).where(known, None)
    return shown


def _place(uploaded: Any) -> str:
    """Return where the corrections of a file are remembered."""
    return f"upload:{uploaded.file_id}"


def _too_large(uploaded: Any) -> bool:
    # The limit of the widget is kept by the browser alone.
    return bool(uploaded.size > LIMITS.upload_megabytes * 2**20)


def _load(name: str, content: bytes, options: ReadOptions) -> None:
    def fetch(report: Report) -> Loaded:
        return from_file(content, options, name, report=report)

    choice = DataChoice("file", name, asked=options, content=content_print(content))
    loading.start_file(choice, fetch)
