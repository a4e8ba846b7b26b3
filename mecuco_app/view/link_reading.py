"""How a visitor wanted a file to be read, in an address."""

from dataclasses import replace
from typing import Any

from mecuco_app.view.link_values import flag, listed, names, written_flag
from mecuco_core.datasets.files.options import ReadOptions

CORRECTIONS = (
    "encoding", "delimiter", "decimal", "header", "sheet", "variable", "vectors", "member",
)  # fmt: skip
"""What a visitor can correct, besides the target and the columns."""


def written_reading(asked: ReadOptions) -> str:
    """Write for `reading`: what is left to be found out is left out."""
    parts = [
        (name, written_flag(value) if name == "header" else value)
        for name in (*CORRECTIONS, "target")
        if (value := getattr(asked, name)) is not None
    ]
    parts += [("column", column) for column in asked.columns or ()]
    return listed(f"{name}={value}" for name, value in parts)


def reading(text: str) -> ReadOptions:
    """Read corrections; raises ValueError, or DataError where one makes no sense."""
    options: dict[str, Any] = {}
    columns: list[str] = []
    for part in names(text):
        name, equals, value = part.partition("=")
        if not equals or name not in (*CORRECTIONS, "target", "column"):
            raise ValueError
        if name == "column":
            columns.append(value)
        else:
            options[name] = flag(value) if name == "header" else value
    return replace(ReadOptions(**options), columns=tuple(columns) or None)
