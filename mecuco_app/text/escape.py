"""Make untrusted text literal in the place it goes to.

Names, labels, cell values, file names and address parameters come from outside. Each place on the
screen reads some of their characters as markup: pass them through the function of that place.
"""

import html
import re
from collections.abc import Sequence

from mecuco_core.runtime.wording import shortened
from mecuco_core.runtime.writing import csv_cell

LENGTH = 60
"""Characters of a name that are shown."""

_MARKUP = re.compile(r"([!-/:-@\[-`{-~])")
_SHORTCODE = re.compile(r":(?=[A-Za-z0-9_+\-/]+:)")
_ADDRESS = re.compile(r"(https?:(?=//)|www(?=\.)|\w(?=@\w))", re.IGNORECASE)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def plain(text: object, length: int = LENGTH) -> str:
    """Return one printable line of `text`, for places that read no markup."""
    return shortened(str(text), length)


def distinct(names: Sequence[object], length: int = LENGTH) -> list[str]:
    """Return `plain` names that are all different, for lists to choose from.

    Streamlit knows an option by its text: of two that look alike only one could be chosen.
    """
    texts: list[str] = []
    taken: set[str] = set()
    for position, name in enumerate(names):
        text = plain(name, length) or "(no name)"
        if text in taken:
            text = f"{text} [{position + 1}]"
        taken.add(text)
        texts.append(text)
    return texts


def markdown(text: object, length: int = LENGTH) -> str:
    """Return `text` as one short, literal line of Streamlit's Markdown."""
    return literal(plain(text, length))


def literal(line: str) -> str:
    """Return a printable line as literal Markdown, whole and with its thin spaces."""
    # Emoji and icon codes, and addresses to be made links of, are looked for after escapes are
    # resolved: a zero-width space parts them.
    parted = _ADDRESS.sub("\\1\u200b", _SHORTCODE.sub(":\u200b", line))
    return _MARKUP.sub(r"\\\1", parted)


def unmarked(trusted: str) -> str:
    """Return our own Markdown as plain text: without bold marks, and with escapes resolved."""
    return _ESCAPED.sub(r"\1", trusted.replace("**", ""))


def plotly(text: object, length: int = LENGTH) -> str:
    """Return `text` as literal characters of Plotly's pseudo-HTML.

    Not for templates: a name such as `%{y}` would be substituted there.
    """
    return html.escape(plain(text, length), quote=False)


def html_text(text: object, length: int = LENGTH) -> str:
    """Return `text` as literal characters of an HTML page, in an attribute too."""
    return html.escape(plain(text, length), quote=True)


def html_code(text: str) -> str:
    """Return lines of code as literal characters of an HTML page, their blanks kept."""
    return html.escape(text, quote=True)


def cell(value: object, length: int = LENGTH) -> str:
    """Return a value for a table on the screen, which can be downloaded as CSV from there."""
    return str(csv_cell(plain(value, length)))
