"""The parts of an Excel workbook: a zip archive of XML, streamed with bounds on everything.

The XML is read by expat itself, as events: no tree is built, no document type and so no entity is
accepted, and no formula is ever evaluated. An event handler sees local names, without prefixes.
"""

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import IO, BinaryIO
from xml.parsers import expat

from mecuco_core.datasets.files.archives import check_member, open_zip
from mecuco_core.datasets.files.damage import shown
from mecuco_core.datasets.files.limits import check_bytes
from mecuco_core.datasets.files.options import ReadOptions
from mecuco_core.errors import DataError

_PIECE = 1 << 16
_MAX_TOKEN = 1_000_000  # bytes expat may hold back before it shows anything
_MAX_TEXT = 1_000_000  # characters of one cell; Excel stops at 32 767
_DATE_IDS = {*range(14, 23), *range(27, 37), 45, 46, 47, *range(50, 59)}


class Handler:
    """What happens at the start, the text and the end of an element; all do nothing here."""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Begin an element."""

    def text(self, text: str) -> None:
        """See a piece of text."""

    def end(self, name: str) -> None:
        """End an element."""


class Stop(Exception):  # noqa: N818 (it is no error)
    """Raised by a handler that has seen enough."""


@dataclass(frozen=True)
class Sheet:
    """A worksheet: its name for people, and where it is in the archive."""

    name: str
    part: str


class Workbook:
    """An open workbook.

    Parameters
    ----------
    file : binary file
    options : ReadOptions
        For its limits.

    Attributes
    ----------
    sheets : list of Sheet
    dates_from_1904 : bool
    """

    def __init__(self, file: BinaryIO, options: ReadOptions) -> None:
        self._archive = open_zip(file)
        total = sum(info.file_size for info in self._archive.infolist())
        check_bytes(total, options.max_bytes, "The unpacked workbook")
        main = self._main_part()
        targets = _Relations()
        self.parse(_relations_of(main), targets)
        book = _Book()
        self.parse(main, book)
        folder = posixpath.dirname(main)
        self._parts = {kind: _joined(folder, target) for kind, target in targets.by_kind.items()}
        self.dates_from_1904 = book.dates_from_1904
        self.sheets = [
            Sheet(name, _joined(folder, targets.by_id[relation][1]))
            for name, relation in book.sheets
            if targets.by_id.get(relation, ("", ""))[0] == "worksheet"
        ]

    def parse(self, part: str, handler: Handler) -> None:
        """Send the events of one part to a handler."""
        try:
            info = self._archive.getinfo(part)
        except KeyError:
            raise DataError(f"The workbook lacks its part {shown(part)}; it is damaged.") from None
        check_member(info)
        with self._archive.open(info) as stream:
            _send(stream, handler)

    @cached_property
    def shared_strings(self) -> list[str]:
        """The texts that cells refer to by number."""
        strings = _Strings()
        if "sharedStrings" in self._parts:
            self.parse(self._parts["sharedStrings"], strings)
        return strings.found

    @cached_property
    def date_styles(self) -> set[int]:
        """The numbers of the cell styles that show a number as a date."""
        styles = _Styles()
        if "styles" in self._parts:
            self.parse(self._parts["styles"], styles)
        return {
            number
            for number, form in enumerate(styles.formats)
            if form in _DATE_IDS or _is_date(styles.custom.get(form, ""))
        }

    def _main_part(self) -> str:
        relations = _Relations()
        self.parse("_rels/.rels", relations)
        return _joined("", relations.by_kind.get("officeDocument", "xl/workbook.xml"))


def _send(stream: IO[bytes], handler: Handler) -> None:
    """Feed one XML document to a handler, without document types and without endless tokens."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    silent = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal silent
        silent = 0
        handler.start(name.rpartition(":")[2], attributes)

    def end(name: str) -> None:
        handler.end(name.rpartition(":")[2])

    def refuse(*_: object) -> None:
        raise DataError(
            "The workbook declares an XML document type, as attacks with entities do and Excel "
            "never does; it is not read."
        )

    def text(data: str) -> None:
        nonlocal silent
        silent = 0
        handler.text(data)

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    try:
        while piece := stream.read(_PIECE):
            silent += len(piece)
            parser.Parse(piece, False)
            if silent > _MAX_TOKEN:
                raise DataError("The workbook has an XML tag of more than a megabyte; not read.")
        parser.Parse(b"", True)
    except Stop:
        return


class _Relations(Handler):
    """Which part is meant by an id, or by a kind."""

    def __init__(self) -> None:
        self.by_id: dict[str, tuple[str, str]] = {}
        self.by_kind: dict[str, str] = {}

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "Relationship" and attributes.get("TargetMode") != "External":
            kind = attributes.get("Type", "").rpartition("/")[2]
            target = attributes.get("Target", "")
            self.by_id[attributes.get("Id", "")] = (kind, target)
            self.by_kind.setdefault(kind, target)


class _Book(Handler):
    """Names and ids of the sheets."""

    def __init__(self) -> None:
        self.sheets: list[tuple[str, str]] = []
        self.dates_from_1904 = False

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "workbookPr":
            self.dates_from_1904 = attributes.get("date1904") in ("1", "true")
        elif name == "sheet":
            ids = [value for key, value in attributes.items() if key.endswith(":id")]
            self.sheets.append((attributes.get("name", ""), ids[0] if ids else ""))


class CellText:
    """The text of one cell, gathered in pieces; no cell of Excel is as long as the limit."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0

    def add(self, text: str) -> None:
        """Add a piece."""
        self._parts.append(text)
        self._length += len(text)
        if self._length > _MAX_TEXT:
            raise DataError(
                f"The workbook has a cell of more than {_MAX_TEXT:,} characters; it is not read."
            )

    def take(self) -> str:
        """Return the whole text, and begin the next."""
        whole = "".join(self._parts)
        self._parts, self._length = [], 0
        return whole


class _Strings(Handler):
    """Shared texts; reading aids for Japanese (rPh) are no part of them."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._cell = CellText()
        self._in_text = False
        self._aside = 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "rPh":
            self._aside += 1
        elif name == "t":
            self._in_text = not self._aside

    def text(self, text: str) -> None:
        if self._in_text:
            self._cell.add(text)

    def end(self, name: str) -> None:
        if name == "rPh":
            self._aside -= 1
        elif name == "t":
            self._in_text = False
        elif name == "si":
            self.found.append(self._cell.take())


class _Styles(Handler):
    """The number format of every cell style."""

    def __init__(self) -> None:
        self.custom: dict[int, str] = {}
        self.formats: list[int] = []
        self._in_cells = False

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "numFmt":
            self.custom[int(attributes.get("numFmtId", "0"))] = attributes.get("formatCode", "")
        elif name == "cellXfs":
            self._in_cells = True
        elif name == "xf" and self._in_cells:
            self.formats.append(int(attributes.get("numFmtId", "0")))

    def end(self, name: str) -> None:
        if name == "cellXfs":
            self._in_cells = False


def _is_date(form: str) -> bool:
    """Whether a number format shows days, months, years, or hours of a day."""
    if re.search(r"(?i)\[[hms]+\]", form):
        return False  # a duration
    bare = re.sub(r'"[^"]*"|\\.|_.|\*.|\[[^\]]*\]', "", form.split(";")[0]).lower()
    return bool(re.search("[dymh]", bare)) and "general" not in bare


def _relations_of(part: str) -> str:
    folder, name = posixpath.split(part)
    return posixpath.join(folder, "_rels", name + ".rels")


def _joined(folder: str, target: str) -> str:
    """Resolve the target of a relation to a name in the archive."""
    return posixpath.normpath(posixpath.join("/" + folder, target)).lstrip("/")
