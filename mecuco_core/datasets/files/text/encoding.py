"""Which encoding a text is in, by its first bytes."""

import codecs
import re

from mecuco_core.datasets.files.archives import Unpacked
from mecuco_core.datasets.files.options import Findings, ReadOptions

_BOMS = (  # the longer ones first: UTF-32 begins like UTF-16
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_JAPANESE = ("cp932", "euc_jp")
# Of the encodings of other scripts, those that charset-normalizer tells well. Of Latin letters it
# takes French, Spanish and Danish for Polish: that needs more than its word.
_OTHER_SCRIPTS = (
    "cp1251", "koi8_r", "cp1253", "cp1255", "gb18030", "big5", "cp949", "cp932", "euc_jp",
)  # fmt: skip
_GUESSED_FROM = 1 << 18  # bytes
# What letters of Central Europe become where they are read as Western ones: "ko³o" for "koło".
_SIGN_IN_WORD = re.compile("[^\\W\\d_][¡-©¬-¶¸¹¼-¿×÷][^\\W\\d_]")


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
        The note is a sentence on how it was found, or "" where there is nothing to say.
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
    chosen = _guessed(head, complete)
    if not chosen:
        chosen = "cp1252" if _decodes(head, "cp1252", complete) else "latin-1"
    where = " (Western European)" if chosen in ("cp1252", "latin-1") else ""
    return chosen, (
        f"The text is not UTF-8, and its older encoding is not certain; it was "
        f"taken as {chosen}{where}. Choose another encoding if letters look wrong."
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


def _decodes(head: bytes, encoding: str, complete: bool) -> bool:
    try:
        codecs.getincrementaldecoder(encoding)().decode(head, final=complete)
    except UnicodeDecodeError:
        return False
    return True


def _guessed(head: bytes, complete: bool) -> str:
    """Return what charset-normalizer takes text of 8 bits a letter for, "" where it is not known.

    Latin letters are left alone but for those of Central Europe.
    """
    try:
        from charset_normalizer import from_bytes
    except ImportError:  # it belongs to the extra `data`
        return ""
    sample = head[: head.rfind(b"\n", 0, _GUESSED_FROM) + 1] or head
    best = from_bytes(sample, cp_isolation=["cp1252", "cp1250", *_OTHER_SCRIPTS]).best()
    guess = "" if best is None else best.encoding
    if guess == "cp1250" and not _SIGN_IN_WORD.search(sample.decode("cp1252", "replace")):
        return ""
    is_told = guess == "cp1250" or guess in _OTHER_SCRIPTS
    return guess if is_told and _decodes(head, guess, complete) else ""


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
