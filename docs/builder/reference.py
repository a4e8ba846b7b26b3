"""The pages of the API reference and of the command line, written from the code itself.

Every public name is there by construction: the names are `__all__` of the doors, and a name moves
to another page when its module moves to another room.
"""

import argparse
import ast
import inspect
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sphinx.pycode import ModuleAnalyzer

DOORS = ("mecuco", "mecuco.datasets")
FIRST = ("score", "surface", "neighbors", "diagnostics", "datasets", "preparation")
"""Rooms in the order in which they are read; others follow by name."""
USAGE_WIDTH = 76
"""Characters, whatever the terminal has."""

BASICS = "basics"
"""Page of what stands above the rooms."""
UNSPOKEN = re.compile(r"([\\`*_|<>\[\]])")


@dataclass(frozen=True)
class PublicName:
    """A name people import, and where it is defined."""

    door: str
    name: str
    home: str

    @property
    def path(self) -> str:
        """What people write."""
        return f"{self.door}.{self.name}"

    @property
    def room(self) -> str:
        """The room of the engine it is defined in."""
        parts = self.home.split(".")
        folder = find_spec(".".join(parts[:2])) if len(parts) > 1 else None
        is_room = folder is not None and folder.submodule_search_locations is not None
        return parts[1] if is_room else BASICS

    @property
    def value(self) -> Any:
        """The thing itself."""
        return getattr(import_module(self.door), self.name)

    @property
    def kind(self) -> str:
        """How Sphinx calls it: function, class, exception or data."""
        if inspect.isclass(self.value):
            return "exception" if issubclass(self.value, BaseException) else "class"
        return "function" if inspect.isroutine(self.value) else "data"

    @property
    def lines(self) -> list[str]:
        """Its docstring; of a constant the string that follows it."""
        if self.kind != "data":
            return (inspect.getdoc(self.value) or "").splitlines()
        found = ModuleAnalyzer.for_module(self.home).find_attr_docs()
        return [*found.get(("", self.name), [])]

    @property
    def summary(self) -> str:
        """The first sentence of its docstring."""
        first = " ".join(" ".join(self.lines).split())
        if not first:
            raise ValueError(f"{self.path} has no docstring")
        sentence = re.match(r".+?[.:](?= |$)", first)
        return sentence[0].rstrip(":") if sentence else first


@cache
def public_names() -> tuple[PublicName, ...]:
    """Return every name of the doors."""
    return tuple(
        PublicName(door, name, home_of(door, name))
        for door in DOORS
        for name in import_module(door).__all__
        if f"{door}.{name}" not in DOORS and not name.startswith("__")
    )


def home_of(module: str, name: str) -> str:
    """Return the module that defines a name, followed through the imports that hand it on."""
    source = Path(str(inspect.getsourcefile(import_module(module)))).read_text("utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return home_of(node.module, alias.name)
    return module


def as_markup(lines: list[str]) -> list[str]:
    """Return a docstring for reStructuredText: `code` as code or as a link, |H| as it is."""
    links = {one.name: f":py:obj:`~{one.path}`" for one in public_names()}
    found, in_example = [], False
    for line in lines:
        in_example = line.lstrip().startswith(">>>") or (in_example and bool(line.strip()))
        found.append(line if in_example else _with_links(line, links))
    return found


def _with_links(line: str, links: dict[str, str]) -> str:
    line = re.sub(r"docs/(\w+)\.md", r":doc:`docs/\1.md </\1>`", line)
    parts = re.split(r"((?::[\w:]+:)?`[^`]+`|``[^`]+``)", line)
    for i, part in enumerate(parts):
        if i % 2 == 0:
            parts[i] = part.replace("|", "\\|")
        elif part.startswith("`") and not part.startswith("``"):
            parts[i] = links.get(part.strip("`"), f"`{part}`")
    return "".join(parts)


def write_pages(folder: Path) -> None:
    """Write one page for each room with public names, one for the commands, and their index."""
    rooms: dict[str, list[PublicName]] = defaultdict(list)
    for one in public_names():
        rooms[one.room].append(one)
    order = sorted(rooms, key=lambda room: (_place(room), room))
    pages = {f"{room}.rst": room_page(room, rooms[room]) for room in order}
    pages["command_line.rst"] = command_page()
    pages["index.rst"] = index_page({room: rooms[room] for room in order})
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.rst"):
        if old.name not in pages:
            old.unlink()
    for file, text in pages.items():
        path = folder / file
        if not path.exists() or path.read_text("utf-8") != text:  # Sphinx reads what is newer
            path.write_text(text, "utf-8")


def _place(room: str) -> int:
    if room == BASICS:
        return len(FIRST) + 1
    return FIRST.index(room) if room in FIRST else len(FIRST)


def index_page(rooms: dict[str, list[PublicName]]) -> str:
    """Return the page with every name and what it is."""
    lines = [
        *_title("API reference", "="),
        "Every name of ``mecuco``, by the room it lives in.",
        "Arguments and results are documented with their shapes.",
        "",
        ".. toctree::",
        "   :hidden:",
        "",
        *(f"   {room}" for room in rooms),
        "",
    ]
    for room, names in rooms.items():
        lines += [*_title(_heading(room), "-"), ".. list-table::", "   :widths: 35 65", ""]
        for one in sorted(names, key=lambda one: one.name.lower()):
            lines += [f"   * - :py:obj:`~{one.path}`", f"     - {_inline(one.summary)}"]
        lines.append("")
    return "\n".join(lines)


def room_page(room: str, names: list[PublicName]) -> str:
    """Return the page of one room: every public name of it with its docstring."""
    about = "What stands above the rooms." if room == BASICS else ""
    if not about:
        package = ".".join(names[0].home.split(".")[:2])
        about = (inspect.getdoc(import_module(package)) or "").partition("\n\n")[0]
    lines = [*_title(_heading(room), "="), _inline(" ".join(about.split())), ""]
    for one in sorted(names, key=lambda one: (one.door, one.kind == "class", one.name.lower())):
        lines += [f".. py:currentmodule:: {one.door}", "", *_directive(one), ""]
    return "\n".join(lines)


def _directive(one: PublicName) -> list[str]:
    if one.kind != "data":
        members = ["   :members:"] if one.kind == "class" else []
        return [f".. auto{one.kind}:: {one.path}", *members]
    indented = [f"   {line}".rstrip() for line in one.lines]
    return [f".. py:data:: {one.name}", "", *indented, "", f"   Value: ``{_value(one.value)}``"]


def _value(value: Any) -> str:
    keys = list(value) if isinstance(value, dict) else value
    return repr(keys).replace("typing.", "")


def command_page() -> str:
    """Return the page of the commands, from their argparse parsers."""
    from mecuco_core.cli.commands import command_parser

    parser = command_parser()
    lines = [*_title("Command line", "="), *_command(parser)]
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            about = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for name, command in action.choices.items():
                lines += [*_title(f"mecuco {name}", "-"), *_command(command, about[name])]
    return "\n".join(lines)


def _command(parser: argparse.ArgumentParser, about: str = "") -> list[str]:
    parser.formatter_class = partial(argparse.HelpFormatter, width=USAGE_WIDTH)
    usage = parser.format_usage().removeprefix("usage: ").splitlines()
    about = about or parser.description or ""
    lines = [_inline(about[:1].upper() + about[1:]) + ("" if about.endswith(".") else "."), ""]
    if parser.description and parser.description != about:
        lines += [_inline(" ".join(parser.description.split())), ""]
    lines += [".. code-block:: text", "", *(f"   {line}" for line in usage), ""]
    lines += [f".. program:: {parser.prog}", ""]
    for group in parser._action_groups:
        options = list(_options(parser, group))
        if options and group.title not in ("options", "positional arguments"):
            lines += [f"**{_inline(str(group.title).capitalize())}**", ""]
        lines += options
    if parser.epilog:
        lines += [_inline(parser.epilog), ""]
    return lines


def _options(parser: argparse.ArgumentParser, group: Any) -> Iterator[str]:
    formatter = parser._get_formatter()
    for action in group._group_actions:
        if isinstance(action, argparse._HelpAction | argparse._SubParsersAction):
            continue
        values = formatter._format_args(action, formatter._get_default_metavar_for_optional(action))
        flags = [f"{flag} {values}".strip() for flag in action.option_strings]
        said = (action.help or "") % {"default": action.default, "prog": parser.prog}
        yield f".. option:: {', '.join(flags) or action.metavar}"
        yield ""
        yield f"   {_inline(said)}"
        yield ""


def _heading(room: str) -> str:
    return room.replace("_", " ").capitalize()


def _title(text: str, line: str) -> list[str]:
    return [text, line * len(text), ""]


def _inline(text: str) -> str:
    """Return a sentence for reStructuredText: `code` as code, everything else as it is."""
    parts = re.split(r"`([^`]+)`", text)
    return "".join(
        f"``{part}``" if i % 2 else UNSPOKEN.sub(r"\\\1", part) for i, part in enumerate(parts)
    )
