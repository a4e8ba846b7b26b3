"""Text of a known encoding as a stream of checked UTF-8, and its lines, none of them endless."""

import codecs
import io
import re
from collections.abc import Iterator
from typing import BinaryIO

from mecuco_core.datasets.files.archives import Unpacked
from mecuco_core.datasets.files.damage import shown
from mecuco_core.datasets.files.limits import line_too_long, null_byte
from mecuco_core.errors import DataError

_CHUNK = 1 << 18
_LINE_END = re.compile(rb"\r\n|\r|\n")


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
    while buffered := stream.peek(1):
        found = _LINE_END.search(buffered)
        piece = stream.read(found.end() if found else len(buffered))
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
