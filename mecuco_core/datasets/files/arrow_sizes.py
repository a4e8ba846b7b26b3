"""Sizes an Arrow file claims to unpack to, read from its messages before anything is unpacked.

Arrow messages are FlatBuffers: little-endian tables whose fields are found through a table of
offsets. Only the few fields that say how large a record batch becomes are read here; see
https://arrow.apache.org/docs/format/Columnar.html#serialization-and-interprocess-communication-ipc
"""

import struct
from typing import Any

from mecuco_core.datasets.files.limits import check_bytes, check_size
from mecuco_core.datasets.files.options import ReadOptions

_DICTIONARY_BATCH, _RECORD_BATCH = 2, 3
_BUFFER = struct.Struct("<qq")  # offset, length
_I64 = struct.Struct("<q")


def check_arrow_sizes(messages: Any, options: ReadOptions) -> None:
    """Raise `DataError` where record batches claim more rows or bytes than allowed.

    Parameters
    ----------
    messages : pyarrow.ipc.MessageReader
    """
    total_rows = total_bytes = 0
    while True:
        try:
            message = messages.read_next_message()
        except StopIteration:
            return
        metadata = memoryview(message.metadata)
        root = _Table(metadata, struct.unpack_from("<I", metadata, 0)[0])
        kind = root.scalar(1, "<B")
        if kind not in (_DICTIONARY_BATCH, _RECORD_BATCH):
            continue
        batch = root.table(2)
        if kind == _DICTIONARY_BATCH:
            batch = batch.table(1)
        else:
            total_rows += batch.scalar(0, "<q")
            check_size(total_rows, 1, options)
        body = memoryview(message.body) if message.body is not None else memoryview(b"")
        compressed = batch.offset(3) is not None
        for offset, length in batch.structs(2, _BUFFER):
            if offset < 0 or length < 0 or offset + length > len(body):
                raise ValueError("a buffer lies outside its message")
            claimed = _I64.unpack_from(body, offset)[0] if compressed and length >= 8 else length
            total_bytes += max(claimed, length)  # -1 says: not compressed after all
            check_bytes(total_bytes, options.max_bytes, "The unpacked table")


class _Table:
    """One FlatBuffers table."""

    def __init__(self, data: memoryview, position: int) -> None:
        self._data = data
        self._position = position
        self._fields = position - struct.unpack_from("<i", data, position)[0]
        self._n_fields = (struct.unpack_from("<H", data, self._fields)[0] - 4) // 2

    def offset(self, field: int) -> int | None:
        """Where a field is, or None when it is left out."""
        if field >= self._n_fields:
            return None
        relative = struct.unpack_from("<H", self._data, self._fields + 4 + 2 * field)[0]
        return self._position + relative if relative else None

    def scalar(self, field: int, form: str) -> int:
        position = self.offset(field)
        return 0 if position is None else int(struct.unpack_from(form, self._data, position)[0])

    def table(self, field: int) -> "_Table":
        position = self.offset(field)
        if position is None:
            raise ValueError("a message lacks its header")
        return _Table(self._data, position + struct.unpack_from("<I", self._data, position)[0])

    def structs(self, field: int, form: struct.Struct) -> list[tuple[int, int]]:
        position = self.offset(field)
        if position is None:
            return []
        start = position + struct.unpack_from("<I", self._data, position)[0]
        count = struct.unpack_from("<I", self._data, start)[0]
        end = start + 4 + count * form.size
        return list(form.iter_unpack(self._data[start + 4 : end]))
