"""Ways to correct how a file is read; what is not corrected is found out."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from mecuco_app.screen import state
from mecuco_app.text.escape import distinct, markdown, plain
from mecuco_app.view.link_reading import CORRECTIONS
from mecuco_core.datasets.files import WHITESPACE, WORKBOOKS, ReadOptions, Sniffed
from mecuco_core.errors import DataError

FOUND = "found"
"""Stands for: as it was found out."""

_DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", WHITESPACE: "blanks"}
_DECIMALS = {".": "point", ",": "comma"}
_HEADERS = {True: "names", False: "data"}
_ENCODINGS = (
    "utf-8", "utf-16", "latin-1", "cp1252", "cp1250", "cp1251", "cp932", "euc_jp", "gb18030",
    "big5", "cp949",
)  # fmt: skip
_MOST_NAMES = 2000


def options_of(place: str) -> ReadOptions:
    """Return the options a visitor has corrected so far; what is None is found out."""

    def corrected(name: str) -> Any:
        value = state.recalled(f"{place}:{name}", FOUND)
        return None if value == FOUND else value

    sniffed = state.recalled(f"{place}:sniffed", None)
    names = [] if sniffed is None else [str(name) for name in sniffed.preview.columns]
    every = state.recalled(f"{place}:names", names)
    kept = [every[i] for i in state.recalled(f"{place}:columns", []) if i < len(every)]
    target = corrected("target")
    if target is None and sniffed is not None:
        target = sniffed.suggested_target
    elif target == "":
        target = None
    try:
        return ReadOptions(
            encoding=corrected("encoding"),
            delimiter=corrected("delimiter"),
            decimal=corrected("decimal"),
            header=corrected("header"),
            sheet=corrected("sheet"),
            variable=corrected("variable"),
            vectors=corrected("vectors"),
            member=corrected("member"),
            target=target,
            columns=_with(kept, target) or None,
        )
    except DataError as error:
        st.error(markdown(error, 400))
        return ReadOptions()


def correct_all(place: str, asked: ReadOptions) -> None:
    """Correct a file as somebody else did."""
    for name in CORRECTIONS:
        value = getattr(asked, name)
        if value is not None:
            state.remember(f"{place}:{name}", value)
    state.remember(f"{place}:target", asked.target or "")
    state.remember(f"{place}:kept", asked.columns or ())


def _with(kept: list[str], target: str | None) -> tuple[str, ...]:
    """Return the columns to keep, the target among them."""
    if not kept or target is None or target in kept:
        return tuple(kept)
    return (*kept, target)


def corrections(place: str, sniffed: Sniffed | None) -> None:
    """Draw the corrections that make sense for what the file is."""
    kind = "csv" if sniffed is None else sniffed.format
    found = ReadOptions() if sniffed is None else sniffed.options
    left, middle, right = st.columns(3)
    if kind == "csv":
        with left:
            _choice(
                place, "delimiter", "Between columns", _DELIMITERS, found.delimiter, delimiter_name
            )
        with middle:
            _choice(place, "decimal", "Decimal mark", _DECIMALS, found.decimal)
    if kind == "csv" or kind in WORKBOOKS:
        with right:
            _choice(place, "header", "The first line holds", _HEADERS, found.header)
    if kind in ("csv", "arff", "json", "jsonl", "libsvm"):
        with left:
            _choice(place, "encoding", "Encoding", _same(_ENCODINGS), found.encoding)
    if sniffed is None:
        return
    for name, label, known in (
        ("sheet", "Sheet", sniffed.sheets),
        ("variable", "Array", sniffed.variables),
        ("vectors", "Vectors", sniffed.vector_columns),
        ("member", "File in the archive", sniffed.members),
    ):
        if len(known) > 1:
            with middle:
                _choice(place, name, label, _same(known), getattr(found, name))
    names = _every_name(place, sniffed)
    with right:
        _target(place, names, sniffed.suggested_target)
    with middle:
        st.multiselect(
            "Columns to keep",
            range(min(_MOST_NAMES, len(names))),
            format_func=distinct(names).__getitem__,
            placeholder="all",
            help="None keeps all.",
            **state.remembered(f"{place}:columns", []),
        )


def _every_name(place: str, sniffed: Sniffed) -> list[str]:
    """Return the columns of the whole file, also after some were left out of the preview."""
    if sniffed.options.columns is None:
        names = [str(name) for name in sniffed.preview.columns]
        target = sniffed.options.target
        if target is not None and target not in names:
            names.append(target)
        state.remember(f"{place}:names", names)
        kept = state.recalled(f"{place}:kept", ())
        if kept:  # said before the names were known
            state.remember(f"{place}:kept", ())
            state.remember(
                f"{place}:columns", [names.index(name) for name in kept if name in names]
            )
    return list(state.recalled(f"{place}:names", []))


def _target(place: str, names: Sequence[str], suggested: str | None) -> None:
    first = suggested if suggested is not None else ""
    chosen = state.recalled(f"{place}:target", first)
    if chosen == FOUND:
        chosen = first
    offered = ["", *names[:_MOST_NAMES]]
    texts = ["none", *distinct(names[:_MOST_NAMES])]
    key = f"{place}:target of {len(offered)}"
    st.selectbox(
        "Target (label)",
        range(len(offered)),
        format_func=texts.__getitem__,
        help="It takes no part in the score.",
        **state.tied(
            key, offered.index(chosen) if chosen in offered else 0, _choose, (place, offered)
        ),
    )


def _choose(key: str, place: str, offered: Sequence[str]) -> None:
    target = state.picked(key, offered)
    if target is not None:
        state.remember(f"{place}:target", target)


def delimiter_name(delimiter: str) -> str:
    """Return what a delimiter is called: one that has no name stands between quotes."""
    if delimiter == " ":
        return _DELIMITERS[WHITESPACE]
    return _DELIMITERS.get(delimiter) or plain(repr(delimiter))


def _choice(
    place: str,
    name: str,
    label: str,
    texts: dict[Any, str],
    found: Any,
    spoken: Callable[[Any], str] = plain,
) -> None:
    """Draw a list whose first entry is what was found out; `spoken` names what is not listed."""
    options = [FOUND, *texts]
    chosen = state.recalled(f"{place}:{name}", FOUND)
    # What is read with a correction says nothing about what would be found without.
    open_ = found is None or chosen != FOUND
    first = "find out" if open_ else f"{texts.get(found) or spoken(found)} (found)"
    # Streamlit knows an option by its text: where the first one reads differently, the list is new.
    key, shown = f"{place}:{name}:{first}", options.index(chosen) if chosen in options else 0
    st.selectbox(
        label,
        range(len(options)),
        format_func=[first, *texts.values()].__getitem__,
        **state.tied(key, shown, _correct, (place, name, options)),
    )


def _correct(key: str, place: str, name: str, options: Sequence[Any]) -> None:
    option = state.picked(key, options)
    if option is not None:
        state.remember(f"{place}:{name}", option)
        if name not in ("encoding", "decimal"):  # the columns are others now
            state.remember(f"{place}:target", FOUND)
            state.remember(f"{place}:columns", [])


def _same(values: Sequence[str]) -> dict[Any, str]:
    return dict(zip(values, distinct(values), strict=True))
