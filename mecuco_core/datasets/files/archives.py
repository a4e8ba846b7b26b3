"""Decompression as a stream that counts: nothing is unpacked to disk or beyond the limit."""

import bz2
import gzip
import io
import lzma
import shutil
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import BinaryIO, Protocol

from mecuco_core.datasets.files.content import Content
from mecuco_core.datasets.files.damage import decoding, shown
from mecuco_core.datasets.files.limits import check_bytes
from mecuco_core.datasets.files.options import Compression, Findings, ReadOptions
from mecuco_core.datasets.files.table.pictures import has_picture_name
from mecuco_core.errors import DataError

_MAGIC: dict[Compression, bytes] = {
    "gzip": b"\x1f\x8b",
    "bz2": b"BZh",
    "xz": b"\xfd7zXZ\x00",
    "zip": b"PK\x03\x04",
}
LABELS: dict[Compression, str] = {
    "none": "an uncompressed file",
    "gzip": "a gzip file",
    "bz2": "a bzip2 file",
    "xz": "an xz file",
    "zip": "a zip archive",
}
_XZ_MEMORY = 200_000_000  # `xz -9` needs 65 MB to decompress; a header can ask for 4 GB
_MAX_MEMBERS = 10_000
_INPUT = 1 << 16


def compression_of(head: bytes) -> Compression:
    """Tell the compression by the first bytes of a file."""
    if head.startswith(b"BZh") and head[4:10] not in (b"1AY&SY", b"\x17\x72\x45\x38\x50\x90"):
        return "none"  # a text that happens to begin with BZh
    for compression, magic in _MAGIC.items():
        if head.startswith(magic):
            return compression
    return "zip" if head.startswith(b"PK\x05\x06") else "none"  # an archive of nothing


@dataclass(frozen=True, eq=False)
class Unpacked:
    """Content behind its compression; every stream of it stops at `max_bytes`."""

    content: Content
    compression: Compression
    member: str | None
    max_bytes: int

    def open(self) -> BinaryIO:
        """Open a stream of the decompressed bytes that raises `DataError` at the limit."""
        raw = self.content.open()
        try:
            return io.BufferedReader(_Counted(self._decoder(raw), raw, self), buffer_size=_INPUT)
        except BaseException:
            raw.close()
            raise

    def head(self, n_bytes: int) -> bytes:
        """Return at most the first `n_bytes` bytes."""
        with self.open() as stream, decoding(LABELS[self.compression]):
            return stream.read(n_bytes)

    def seekable(self) -> BinaryIO:
        """Open for random access; compressed content is measured first, then held in memory."""
        if self.compression == "none":
            check_bytes(self.content.n_bytes, self.max_bytes, "The file")
            return self.content.open()
        with decoding(LABELS[self.compression]):
            with self.open() as stream:
                while stream.read(_INPUT):
                    pass
            whole = io.BytesIO()
            with self.open() as stream:
                shutil.copyfileobj(stream, whole)
            whole.seek(0)
            return whole

    def _decoder(self, raw: BinaryIO) -> "_Readable":
        with decoding(LABELS[self.compression]):
            match self.compression:
                case "gzip":
                    return gzip.GzipFile(fileobj=raw, mode="rb")
                case "bz2":
                    return io.BufferedReader(_Decompressed(raw, bz2.BZ2Decompressor))
                case "xz":
                    return io.BufferedReader(_Decompressed(raw, _xz_decoder))
                case "zip":
                    archive = open_zip(raw)
                    return archive.open(archive.getinfo(self.member or ""))
                case "none":
                    return raw


class _Readable(Protocol):
    def read(self, n: int, /) -> bytes: ...


def open_zip(file: BinaryIO) -> zipfile.ZipFile:
    """Open a zip archive after a look at the size of its directory."""
    # Every entry of the directory begins with these four bytes, and costs half a kilobyte.
    n_entries, tail = 0, b""
    file.seek(0)
    while chunk := file.read(1 << 20):
        n_entries += (tail + chunk).count(b"PK\x01\x02")
        tail = chunk[-3:]
    if n_entries > _MAX_MEMBERS:
        raise DataError(
            f"The archive lists more than {_MAX_MEMBERS:,} files; unpack it and choose one of them."
        )
    file.seek(0)
    with decoding("a zip archive"):
        return zipfile.ZipFile(file)


def check_member(info: zipfile.ZipInfo) -> None:
    """Refuse members whose decompression cannot be bounded, or that need a password."""
    if info.flag_bits & 1:
        raise DataError(
            f"{shown(info.filename)} in the archive is encrypted; unpack it with its password."
        )
    # zipfile hands whole blocks of bzip2 and LZMA to their decoders without a bound on the output.
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise DataError(
            f"{shown(info.filename)} in the archive is packed with an uncommon method; "
            "pack it again with the usual one (deflate)."
        )


def unpack(content: Content, options: ReadOptions, findings: Findings) -> Unpacked:
    """Find the compression, and the member of a zip archive that holds the table."""
    with content.open() as stream:
        head = stream.read(16)
    found = compression_of(head)
    compression = options.compression or found
    if compression not in ("none", found):
        raise DataError(
            f"compression is {compression!r}, but the content is {LABELS[found]}; "
            "leave compression out to have it found."
        )
    member = options.member
    if compression == "zip":
        with content.open() as stream, open_zip(stream) as archive:
            member = _choose(archive, member, options, findings)
    elif compression != "none":
        findings.note(f"The content is {LABELS[compression]}, and is decompressed while read.")
    return Unpacked(content, compression, member, options.max_bytes)


def _choose(
    archive: zipfile.ZipFile, member: str | None, options: ReadOptions, findings: Findings
) -> str:
    infos = [info for info in archive.infolist() if is_data(info)]
    tables = [info for info in infos if not has_picture_name(info.filename)] or infos
    findings.members = tuple(info.filename for info in tables)
    if not infos:
        raise DataError("The zip archive holds no file; choose another one.")
    if member is not None:
        if member not in findings.members:
            raise DataError(
                f"member must be a file of the archive ({_listed(findings.members)}), "
                f"got {shown(member)!r}"
            )
        chosen = next(info for info in infos if info.filename == member)
    else:
        chosen = max(tables, key=lambda info: info.file_size)
        others = [name for name in findings.members if name != chosen.filename]
        findings.note(
            f"{shown(chosen.filename)} is read from the zip archive"
            + (f", the largest of its files; the others: {_listed(others)}." if others else ".")
        )
    check_member(chosen)
    what = f"{shown(chosen.filename)} in the archive"
    check_bytes(chosen.file_size, options.max_bytes, what)
    return chosen.filename


def is_data(info: zipfile.ZipInfo) -> bool:
    """Whether a member is a file, and none that a system left there."""
    parts = PurePosixPath(info.filename).parts
    if not parts or info.is_dir():  # a damaged archive may have a member without a name
        return False
    return "__MACOSX" not in parts and not parts[-1].startswith("._")


def _listed(names: "tuple[str, ...] | list[str]", limit: int = 8) -> str:
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(shown(name, 60) for name in names[:limit]) + more


class _Counted(io.RawIOBase):
    """A stream that counts what passes, stops at the limit, and closes what it reads from."""

    def __init__(self, stream: _Readable, raw: BinaryIO, unpacked: Unpacked) -> None:
        super().__init__()
        self._stream = stream
        self._raw = raw
        self._unpacked = unpacked
        self._n_bytes = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        with decoding(LABELS[self._unpacked.compression]):
            piece = self._stream.read(len(buffer))
        self._n_bytes += len(piece)
        packed = self._unpacked.compression != "none"
        what = "The decompressed content" if packed else "The file"
        check_bytes(self._n_bytes, self._unpacked.max_bytes, what)
        buffer[: len(piece)] = piece
        return len(piece)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Decompressed(io.RawIOBase):
    """bzip2 or xz, one stream after another, never more than a buffer at a time."""

    def __init__(
        self, raw: BinaryIO, make: "Callable[[], bz2.BZ2Decompressor | lzma.LZMADecompressor]"
    ) -> None:
        super().__init__()
        self._raw = raw
        self._make = make
        self._decoder = make()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while True:
            piece = b""
            if self._decoder.eof:
                piece = self._next_stream()
                if not piece:
                    return 0
                self._decoder = self._make()
            elif self._decoder.needs_input:
                piece = self._raw.read(_INPUT)
                if not piece:
                    raise EOFError("it ends before its last block")
            out = self._decoder.decompress(piece, len(buffer))
            if out:
                buffer[: len(out)] = out
                return len(out)

    def _next_stream(self) -> bytes:
        """Return the first bytes behind the padding that may follow a stream."""
        piece = self._decoder.unused_data.lstrip(b"\0")
        while not piece:
            piece = self._raw.read(_INPUT)
            if not piece:
                return b""
            piece = piece.lstrip(b"\0")
        return piece


def _xz_decoder() -> lzma.LZMADecompressor:
    return lzma.LZMADecompressor(memlimit=_XZ_MEMORY)
