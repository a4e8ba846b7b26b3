"""What every page has: its settings, the dataset, the address, navigation and notices."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mecuco_app.results import warming
from mecuco_app.scene.look import Look
from mecuco_app.screen import loading, nearby_scores, state
from mecuco_app.screen.browser import address, style
from mecuco_app.screen.connection import open_tabs
from mecuco_app.screen.controls.folding import folded
from mecuco_app.screen.recent import recent_list
from mecuco_app.screen.state import Session
from mecuco_app.screen.ways_out import link_way

SITE = "MeCuCo Explorer"
_LESSONS = range(5, 10)  # numbers of the pages that teach
_TITLES = {"Gauge": "Change of coordinates"}
"""Titles of pages whose file keeps an older name: it is the address in links."""


@dataclass(frozen=True)
class Page:
    """What a page begins with.

    Attributes
    ----------
    session : Session
    head : container
        The line of the title and of the ways to take the page along.
    """

    session: Session
    head: DeltaGenerator


@contextmanager
def page(
    title: str, says: str = "", *, needs_data: bool = True, headed: bool = True
) -> Iterator[Page]:
    """Draw what every page has; the page itself is drawn inside.

    What is on its way is drawn with its progress. A page that needs data ends here where there are
    none yet, or none to be had.

    Parameters
    ----------
    title : str
        Of the page, trusted text.
    says : str
        What it is about, in a sentence of trusted Markdown.
    needs_data : bool
    headed : bool
        Whether the title, the link and the sentence are drawn; else the page has a head of its own.
    """
    st.set_page_config(
        page_title=f"{title} · {SITE}",
        page_icon=str(site_folder() / "assets" / "icon.png"),
        layout="wide",
        menu_items={"Get help": None, "Report a bug": None, "About": None},
    )
    session = state.enter(title)
    open_tabs.watch(session.desk, session.visit)
    nearby_scores.end(session)
    loading.go_back(session)
    loading.ensure(session)
    _navigation(title)
    style.write(look())
    # What comes and goes has a place of its own, so that nothing below it is drawn anew.
    with st.container():
        loading.watch(session)
    with st.container(key="unseen-address"):  # it takes no room, whether or not it asks
        address.write(session)
    with st.container():
        _notices(session)
    if session.loaded is None and needs_data:
        st.title(title)
        loading.say_what_is_missing(session)
        recent_list()
        st.stop()
    head = st.container(horizontal=True, vertical_alignment="center")
    if headed:
        with head:
            st.title(title)
            link_way(session.view)
        if says:
            st.markdown(says)
    try:
        yield Page(session, head)
    finally:  # what makes the next pages quicker, now that this one is drawn
        warming.start()


def site_folder() -> Path:
    """Return the folder of app.py, pages and assets: the checkout, or inside the package."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "_site"
    return inside if inside.is_dir() else package.parent


def look() -> Look:
    """Return how figures shall look for this visitor."""
    dark = st.context.theme.type == "dark"
    return Look(dark=dark, lecture=bool(state.recalled("lecture", False)))


def _navigation(current: str) -> None:
    numbered = {int(path.stem.partition("_")[0]): path for path in _pages()}
    lessons = [numbered[number] for number in sorted(numbered) if number in _LESSONS]
    others = [numbered[number] for number in sorted(numbered) if number not in _LESSONS]
    with st.sidebar:
        st.page_link("app.py", label="Home")
        _links(others)
        unfolded = current in map(_label, lessons)
        # A key for each: else a lesson, come to from another page, would find the box closed.
        folded("Lessons", partial(_links, lessons), key=f"lessons-{unfolded}", unfolded=unfolded)
        st.toggle(
            "Lecture mode",
            help="Everything larger.",
            **state.remembered("lecture", False),
        )


def _links(pages: list[Path]) -> None:
    for path in pages:
        st.page_link(f"pages/{path.name}", label=_label(path))


def _pages() -> list[Path]:
    return list((site_folder() / "pages").glob("[0-9]*_*.py"))


def _label(path: Path) -> str:
    name = path.stem.partition("_")[2].replace("_", " ")
    return _TITLES.get(name, name)


def _notices(session: Session) -> None:
    """Draw what there is to say; it stays until it is dismissed."""
    boxes = {"info": st.info, "warning": st.warning, "error": st.error, "success": st.success}
    for number, notice in enumerate(session.notices):
        with st.container(horizontal=True, vertical_alignment="center"):
            boxes[notice.kind](notice.text)
            st.button("Dismiss", key=f"dismiss:{number}", on_click=session.dismiss, args=(notice,))
