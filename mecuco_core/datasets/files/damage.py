"""Turns what decoders raise on damaged content into one sentence."""

import csv
import lzma
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from xml.parsers import expat

from mecuco_core.errors import DataError
from mecuco_core.runtime.wording import shortened

# What the decoders of numpy, scipy, pandas, pyarrow and the standard library raise on bytes
# they did not expect. Not here: AttributeError, NameError, AssertionError, which are our faults.
DAMAGE = (
    ArithmeticError, EOFError, LookupError, MemoryError, NotImplementedError, OSError,
    RecursionError, SyntaxError, TypeError, ValueError, csv.Error, expat.ExpatError, lzma.LZMAError,
    struct.error, tokenize.TokenError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip

_DETAIL = 160  # characters of a decoder's own words that are shown


@contextmanager
def decoding(what: str) -> Iterator[None]:
    """Say that `what` is damaged when decoding it fails."""
    try:
        yield
    except DataError:
        raise
    except MemoryError as error:
        raise DataError(
            f"There is not enough memory to read {what}; keep fewer rows or columns of it."
        ) from error
    except DAMAGE as error:
        raise DataError(
            f"The content looks like {what}, but it is damaged or cut short ({shown(error)}); "
            "get a fresh copy of it."
        ) from error


def shown(value: object, limit: int = _DETAIL) -> str:
    """Return foreign text on one line, without control characters, and not longer than `limit`."""
    return shortened(str(value), limit).rstrip(".")
