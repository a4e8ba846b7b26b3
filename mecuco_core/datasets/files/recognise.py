"""Which format some content is, by the content; names of files only break ties."""

import io
import json
import re
import zipfile

from mecuco_core.datasets.files.archives import Unpacked, compression_of, open_zip
from mecuco_core.datasets.files.binary.anndata import is_anndata
from mecuco_core.datasets.files.binary.safetensors import is_safetensors
from mecuco_core.datasets.files.binary.zarr_arrays import zarr_root
from mecuco_core.datasets.files.content import Content
from mecuco_core.datasets.files.damage import decoding
from mecuco_core.datasets.files.options import Findings, Format
from mecuco_core.datasets.files.shards import is_dataset
from mecuco_core.datasets.files.text.encoding import encoding_of
from mecuco_core.datasets.files.trees import Tree, opened_tree
from mecuco_core.errors import DataError

LABELS: dict[Format, str] = {
    "arff": "an ARFF file",
    "arrow": "a stream of Arrow",
    "csv": "delimited text",
    "feather": "a Feather (Arrow) file",
    "h5ad": "an AnnData (h5ad)",
    "hdf5": "an HDF5 file",
    "json": "a JSON document",
    "jsonl": "JSON lines",
    "las": "a LAS point cloud",
    "libsvm": "a libsvm file",
    "mat": "a MATLAB file (version 5)",
    "npy": "a NumPy array",
    "npz": "an archive of NumPy arrays",
    "ods": "a workbook of LibreOffice",
    "parquet": "a Parquet file",
    "ply": "a PLY point cloud",
    "safetensors": "a safetensors file",
    "shards": "a dataset in Parquet or Arrow shards",
    "xls": "an Excel workbook of before 2007",
    "xlsb": "a binary Excel workbook",
    "xlsx": "an Excel workbook",
    "zarr": "a Zarr store",
}
_SUFFIXES: dict[str, tuple[Format, ...]] = {
    "arff": ("arff",), "csv": ("csv",), "tsv": ("csv",), "feather": ("feather",),
    "arrow": ("feather", "arrow"), "json": ("json", "jsonl"), "jsonl": ("jsonl",),
    "ndjson": ("jsonl",),
    "libsvm": ("libsvm",), "svmlight": ("libsvm",), "mat": ("mat",), "npy": ("npy",),
    "npz": ("npz",), "parquet": ("parquet",), "pq": ("parquet",), "xlsx": ("xlsx",),
    "xlsm": ("xlsx",), "xls": ("xls",), "xlsb": ("xlsb",), "ods": ("ods",), "gz": (),
    "zip": ("shards", "zarr"),
    "h5ad": ("h5ad",), "h5": ("hdf5", "h5ad"), "hdf5": ("hdf5", "h5ad"), "ply": ("ply",),
    "las": ("las",), "safetensors": ("safetensors",), "zarr": ("zarr",),
}  # fmt: skip

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

# Known, and not read: the beginning of the file, and what to do about it.
_REFUSED: tuple[tuple[bytes, str], ...] = (
    (b"\x28\xb5\x2f\xfd", "packed with Zstandard; unpack it first"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive; unpack it first"),
    (b"Rar!\x1a\x07", "a RAR archive; unpack it first"),
    (b"PARE", "an encrypted Parquet file; save it without encryption"),
    (b"FEA1", "a Feather file of version 1; save it again as version 2 or Parquet"),
    (b"%PDF", "a PDF; copy its table into a spreadsheet first"),
    (b"\x89PNG", "a picture, not a table; choose another file"),
    (b"\xff\xd8\xff", "a picture, not a table; choose another file"),
    (b"GIF8", "a picture, not a table; choose another file"),
    (b"SQLite format 3\0", "a database; export one table of it as CSV"),
    (b"\x7fELF", "a program, not a table; choose another file"),
    (b"MZ\x90", "a program, not a table; choose another file"),
)  # fmt: skip
_PICKLE = re.compile(rb"\x80[\x02-\x05](?:\x95|[}\]cq(KXM\x8c])", re.DOTALL)
_PLY = re.compile(rb"ply\r?[\n\r]\s*(?:format|comment|obj_info)\b")
_HTML = re.compile(r"(?i)\s*<(?:!doctype|html|\?xml|svg)")
_ARFF = re.compile(r"(?i)(?:[ \t]*(?:%[^\n]*)?\n)*[ \t]*@(?:relation|attribute)\b")
_NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_LIBSVM = re.compile(
    rf"{_NUMBER}(?:,{_NUMBER})*(?:\s+qid:[0-9]+)?(?P<pairs>(?:\s+[0-9]+:[^\s:#]+)*)\s*(?:#.*)?"
)


def zip_format(content: Content) -> Format | None:
    """Tell the formats that are zip archives themselves; None for an archive of files."""
    with decoding("a zip archive"), content.open() as stream, open_zip(stream) as archive:
        found = _zip_format(archive)
    if found is not None:
        return found
    with opened_tree(content) as tree:
        return tree_format(tree)


def tree_format(tree: Tree, *, is_folder: bool = False) -> Format | None:
    """Tell the formats of several files; None for others."""
    if zarr_root(tree) is not None:
        return "zarr"
    n_shards = sum("/" not in p and p.endswith((".parquet", ".arrow")) for p in tree.sizes)
    return "shards" if is_dataset(tree) or (is_folder and n_shards > 1) else None


def _zip_format(archive: zipfile.ZipFile) -> Format | None:
    names = archive.namelist()
    if any(name.rpartition("/")[2] == "data.pkl" for name in names):
        raise DataError(
            "This is a file of torch.save, a pickle, which can run programs when loaded and is "
            "never read; convert it in Python if you trust it: numpy.save('points.npy', "
            "torch.load(FILE, weights_only=True).numpy())."
        )
    if names and all(name.endswith(".npy") for name in names):
        return "npz"
    if "[Content_Types].xml" in names:
        if any(name.startswith("xl/") for name in names):
            return "xlsb" if "xl/workbook.bin" in names else "xlsx"
        raise DataError("This is an Office document without sheets; choose a workbook or a CSV.")
    if "mimetype" in names and "content.xml" in names:
        if b"spreadsheet" in archive.read("mimetype"):
            return "ods"
        raise DataError("This is an OpenDocument file without sheets; choose a workbook or a CSV.")
    return None


def format_of(unpacked: Unpacked) -> Format:
    """Tell the format of decompressed content, or say what it is and why it is not read."""
    size = 1 << 20
    head = unpacked.head(size)
    if not head:
        raise DataError("The file is empty once decompressed: there is nothing to read.")
    _refuse_known(head)
    # A table may well have a first column named PAR1: what follows must not be text.
    if head.startswith(b"PAR1") and _is_binary(head[4:100]):
        return "parquet"
    if head.startswith(b"ARROW1\0\0"):
        return "feather"
    if head.startswith(b"\xff\xff\xff\xff") and not any(head[7:8]) and _is_binary(head[8:64]):
        return "arrow"
    if head.startswith(b"\x89HDF\r\n\x1a\n"):
        with decoding(LABELS["hdf5"]):
            return "h5ad" if is_anndata(unpacked) else "hdf5"
    if head.startswith(b"LASF"):
        return "las"
    if _PLY.match(head):
        return "ply"
    if is_safetensors(head):
        return "safetensors"
    if head.startswith(_OLE):
        return "xls"
    if head.startswith(b"\x93NUMPY"):
        return "npy"
    if head.startswith(b"MATLAB 7.3") or head[512:520] == b"\x89HDF\r\n\x1a\n":
        raise DataError(
            "This is a MATLAB file of version 7.3 (HDF5); save it in MATLAB with "
            "save(name, variables, '-v7')."
        )
    if head[124:128] in (b"\x00\x01IM", b"\x01\x00MI"):
        return "mat"
    packed = compression_of(head)
    if packed == "zip" and unpacked.compression != "none":
        return _format_of_inner_zip(unpacked)
    if packed != "none":
        raise DataError("This is an archive inside an archive; unpack it once and choose a file.")
    return _format_of_text(head, complete=len(head) < size)


def note_suffix(content: Content, unpacked: Unpacked, found: Format, findings: Findings) -> None:
    """Say when the name of a file promises another format than its content is."""
    name = unpacked.member or content.name
    if unpacked.compression not in ("none", "zip"):
        name = re.sub(r"(?i)\.(gz|bz2|xz|tgz)$", "", name)
    suffix = name.rpartition(".")[2].lower() if "." in name else ""
    expected = _SUFFIXES.get(suffix)
    if expected is not None and found not in expected:
        findings.note(
            f"The name ends in .{suffix}, but the content is {LABELS[found]}; the content decided."
        )


def _refuse_known(head: bytes) -> None:
    for magic, what in _REFUSED:
        if head.startswith(magic) and _is_binary(head[:300]):
            raise DataError(f"This is {what}.")
    if _PICKLE.match(head):
        raise DataError(
            "This is a Python pickle, which can run programs when loaded and is never read; "
            "convert it in Python if you trust it: numpy.save('points.npy', "
            "numpy.asarray(pandas.read_pickle(FILE)))."
        )
    if head[257:263] in (b"ustar\0", b"ustar "):
        raise DataError("This is a tar archive; unpack it and choose one of its files.")


def _is_binary(head: bytes) -> bool:
    """Whether there are bytes that no text has, but for UTF-16."""
    return any(byte < 9 or 13 < byte < 27 or byte == 0x8F for byte in head)


def _format_of_inner_zip(unpacked: Unpacked) -> Format:
    with decoding("a zip archive"), unpacked.seekable() as stream, open_zip(stream) as archive:
        found = _zip_format(archive)
    if found is None:
        raise DataError("This is an archive inside an archive; unpack it once and choose a file.")
    return found


def _format_of_text(head: bytes, *, complete: bool) -> Format:
    encoding, _ = encoding_of(head, complete=complete)
    text = head.decode(encoding, "replace").removeprefix("\ufeff")
    n_null = text.count("\0")
    if n_null > 0.1 * len(text):
        raise DataError(
            "This is not a format that is known here, nor text; choose CSV, Parquet, Feather, "
            "ARFF, XLSX, ODS, NPY, NPZ, MAT, HDF5, JSON or libsvm."
        )
    if _HTML.match(text):
        raise DataError(
            "This is a web page or XML, not a table; look for a download link that gives a CSV."
        )
    if _ARFF.match(text.replace("\r", "\n")):
        return "arff"
    lines = [line.strip() for line in io.StringIO(text)]
    if not complete:
        lines = lines[:-1]
    lines = [line for line in lines if line]
    return _json_kind(text, lines) or _libsvm_kind(lines) or "csv"


def _json_kind(text: str, lines: list[str]) -> Format | None:
    bare = re.sub(r"\s+", "", text[:200])
    if not re.match(r'\{["}]|\[[\[{"\]0-9tfnNI-]', bare):
        return None
    # A document that ends with its first line, and lines after it.
    return "jsonl" if len(lines) > 1 and _is_json_line(lines[0]) else "json"


def _is_json_line(line: str) -> bool:
    try:
        return isinstance(json.loads(line), (dict, list))
    except (ValueError, RecursionError):
        return False


def _libsvm_kind(lines: list[str]) -> Format | None:
    lines = [line for line in lines if not line.startswith("#")][:200]
    found = [_LIBSVM.fullmatch(line) for line in lines if len(line) < 1_000_000]
    if not found or not all(found):
        return None
    pairs = sum(bool(match and match["pairs"]) for match in found)
    return "libsvm" if pairs > 0.5 * len(lines) else None
