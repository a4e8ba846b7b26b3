"""Text of any encoding as a stream of checked UTF-8, and its lines with a bound on their length."""

import codecs
import io
import re
from collections.abc import Iterator
from typing import BinaryIO

from mecuco_core.datasets.files.archives import Unpacked
from mecuco_core.datasets.files.damage import shown
from mecuco_core.datasets.files.limits import line_too_long, null_byte
from mecuco_core.datasets.files.options import Findings, ReadOptions
from mecuco_core.errors import DataError

_CHUNK = 1 << 18
_BOMS = (  # the longer ones first: UTF-32 begins like UTF-16
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_JAPANESE = ("cp932", "euc_jp")
_LINE_END = re.compile(rb"\r\n|\r|\n")


def encoding_of(head: bytes, *, complete: bool) -> tuple[str, str]:
    """Tell the encoding of text by its first bytes.

    Parameters
    ----------
    head : bytes
    complete : bool
        Whether `head` is the whole text.

    Returns
    -------
    encoding, note : str
        The note is a sentence on how it was told, or "" where there is nothing to say.
    """
    for bom, encoding in _BOMS:
        if head.startswith(bom):
            return encoding, f"The byte order mark says that the text is {encoding.upper()}."
    wide = _utf16_without_mark(head)
    if wide:
        return wide, f"Every other byte is zero: the text was taken as {wide.upper()}."
    if _decodes(head, "utf-8", complete):
        return "utf-8", ""
    for encoding in _JAPANESE:
        if _decodes(head, encoding, complete) and _kana_share(head, encoding) > 0.2:
            return encoding, f"The letters are Japanese if the text is {encoding}: taken as that."
    western = "cp1252" if _decodes(head, "cp1252", complete) else "latin-1"
    return western, (
        f"The text is not UTF-8, and which 8-bit encoding it is cannot be told; it was taken as "
        f"{western} (Western European). Choose another encoding if letters look wrong."
    )


def settle_encoding(unpacked: Unpacked, options: ReadOptions, findings: Findings) -> str:
    """Return the encoding asked for, or the one the first megabytes show."""
    if options.encoding is not None:
        return options.encoding
    size = 4_000_000
    head = unpacked.head(size)
    encoding, note = encoding_of(head, complete=len(head) < size)
    if note:
        findings.note(note)
    return encoding


def open_text(
    unpacked: Unpacked, encoding: str, *, skip_lines: int = 0, max_line_bytes: int
) -> io.BufferedReader:
    """Open text as UTF-8 without its byte order mark and its first `skip_lines` lines."""
    stream: io.BufferedReader = io.BufferedReader(
        _Utf8(unpacked.open(), encoding), buffer_size=_CHUNK
    )
    for number in range(1, skip_lines + 1):
        _skip_line(stream, number, max_line_bytes)
    return stream


def lines_of(unpacked: Unpacked, encoding: str, max_line_bytes: int) -> Iterator[bytes]:
    """Yield the lines of text as UTF-8, without their ends, whatever the line ends are."""
    with io.BufferedReader(
        _Utf8(unpacked.open(), encoding, translate=True), buffer_size=_CHUNK
    ) as stream:
        number = 1
        while line := stream.readline(max_line_bytes + 1):
            if len(line) > max_line_bytes:
                raise line_too_long(f"Line {number}", max_line_bytes)
            if b"\0" in line:
                raise null_byte(number)
            yield line.removesuffix(b"\n")
            number += 1


def _skip_line(stream: io.BufferedReader, number: int, max_line_bytes: int) -> None:
    """Read past the next line end, be it LF, CR LF or CR."""
    n_bytes = 0
    while ahead := stream.peek(1):
        found = _LINE_END.search(ahead)
        piece = stream.read(found.end() if found else len(ahead))
        n_bytes += len(piece)
        if n_bytes > max_line_bytes:
            raise line_too_long(f"Line {number}", max_line_bytes)
        if found:
            if piece.endswith(b"\r") and stream.peek(1).startswith(b"\n"):
                stream.read(1)
            return


class _Utf8(io.RawIOBase):
    """Decodes one stream and hands it on as UTF-8; stops at what cannot be decoded."""

    def __init__(self, stream: BinaryIO, encoding: str, *, translate: bool = False) -> None:
        super().__init__()
        self._stream = stream
        self._encoding = encoding
        decoder = codecs.getincrementaldecoder(encoding)()
        self._decoder = io.IncrementalNewlineDecoder(decoder, True) if translate else decoder
        self._line = 1
        self._ready = b""
        self._begun = False
        self._ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._ready and not self._ended:
            self._fill()
        n_bytes = min(len(buffer), len(self._ready))
        buffer[:n_bytes] = self._ready[:n_bytes]
        self._ready = self._ready[n_bytes:]
        return n_bytes

    def _fill(self) -> None:
        piece = self._stream.read(_CHUNK)
        self._ended = not piece
        try:
            text = self._decoder.decode(piece, final=self._ended)
            if text and not self._begun:
                text, self._begun = text.removeprefix("\ufeff"), True
            self._ready = text.encode("utf-8")
        except UnicodeError as error:
            before = piece[: error.start] if isinstance(error, UnicodeDecodeError) else b""
            raise DataError(
                f"The text near line {self._line + before.count(10)} is not {self._encoding}; "
                f"choose another encoding, such as cp1252 ({shown(error)})."
            ) from error
        self._line += text.count("\n")

    def close(self) -> None:
        self._stream.close()
        super().close()


def _decodes(head: bytes, encoding: str, complete: bool) -> bool:
    try:
        codecs.getincrementaldecoder(encoding)().decode(head, final=complete)
    except UnicodeDecodeError:
        return False
    return True


def _kana_share(head: bytes, encoding: str) -> float:
    """Return the share of kana among the letters beyond ASCII.

    Nothing but Japanese text has them: their bytes are rare signs in Western encodings.
    """
    beyond = [letter for letter in head.decode(encoding, "ignore") if letter > "\x7f"]
    return sum("\u3041" <= letter <= "\u30fe" for letter in beyond) / max(1, len(beyond))


def _utf16_without_mark(head: bytes) -> str | None:
    """Tell UTF-16 by the zeros that every ASCII character of it brings."""
    even, odd = head[0:4000:2], head[1:4000:2]
    if len(odd) < 2:
        return None
    zeros = even.count(0) / len(even), odd.count(0) / len(odd)
    if zeros[1] > 0.5 and zeros[0] < 0.05 and _decodes(head[:4000], "utf-16-le", False):
        return "utf-16-le"
    if zeros[0] > 0.5 and zeros[1] < 0.05 and _decodes(head[:4000], "utf-16-be", False):
        return "utf-16-be"
    return None
