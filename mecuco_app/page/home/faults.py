"""What is suspicious in the table, each with the click that mends it."""

import streamlit as st

from mecuco_app.screen import state
from mecuco_app.text.escape import markdown, plain
from mecuco_app.text.numbers import count, plural, spaced
from mecuco_core.preparation.findings.suspicion import Suspicion
from mecuco_core.preparation.mending.mends import Mend
from mecuco_core.preparation.protocol import Preparation
from mecuco_core.runtime.wording import named

_MOST_SHOWN = 12
_MOST_ROWS = 20


def faults(found: tuple[Suspicion, ...]) -> None:
    """Draw a line for each fault, and a button that mends them all."""
    preparation = state.view().preparation
    mended = [one for one in found if one.mend is not None and preparation.has_mend(one.mend)]
    open_ = [one for one in found if one.mend is not None and one not in mended]
    if not found:
        st.markdown(":gray[Nothing suspicious was found.]")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        left = len(found) - len(mended)
        said = f"{plural(left, 'thing')} to look at" if left else "Nothing left to look at"
        st.markdown(f"**{said}**", width="stretch")
        if len(open_) > 1:
            st.button(
                f"Mend all {len(open_)}",
                key="mend:all",
                type="primary",
                on_click=_mend,
                args=(tuple(one.mend for one in open_ if one.mend is not None),),
                help="Each can be undone.",
            )
    for one in [one for one in found if one not in mended][:_MOST_SHOWN]:
        _line(found.index(one), one, preparation)
    if mended:
        with st.expander(f"{count(len(mended))} mended"):
            for one in mended:
                _line(found.index(one), one, preparation)
    if len(found) - len(mended) > _MOST_SHOWN:
        hidden = count(len(found) - len(mended) - _MOST_SHOWN)
        st.caption(f"{hidden} more stand in the table of columns.")


def _line(number: int, one: Suspicion, preparation: Preparation) -> None:
    mended = one.mend is not None and preparation.has_mend(one.mend)
    text, mend, rows = st.columns([10, 5, 2], gap="small", vertical_alignment="center")
    mark = ":green[:material/check:]" if mended else ":orange[:material/warning:]"
    text.markdown(f"{mark} {markdown(spaced(one.sentence), 400)}")
    if one.rows:
        with rows.popover("", icon=":material/list:", help="Which rows", type="tertiary"):
            st.markdown(markdown(_rows(one), 2000))
    if one.mend is None:
        return
    if mended:
        mend.button(
            "Undo",
            key=f"mend:{number}:undo",
            on_click=_undo,
            args=(one.mend,),
            type="tertiary",
        )
    else:
        mend.button(
            plain(one.mend.title, 40),
            key=f"mend:{number}",
            on_click=_mend,
            args=((one.mend,),),
            width="stretch",
        )


def _rows(one: Suspicion) -> str:
    """Return which rows are concerned, by what the table calls them where it does."""
    rows = [f"row {row}" for row in one.rows]
    if one.identifiers:
        pairs = zip(one.identifiers, rows, strict=False)
        rows = [f"{plain(name, 40)} ({row})" for name, row in pairs]
    text = named(rows, shown=_MOST_ROWS)
    return text if one.n_values <= len(one.rows) else f"The first: {text}"


def _mend(mends: tuple[Mend, ...]) -> None:
    preparation = state.view().preparation
    for mend in mends:
        preparation = preparation.with_mend(mend)
    state.session().change("preparation", preparation)


def _undo(mend: Mend) -> None:
    state.session().change("preparation", state.view().preparation.without_mend(mend))
