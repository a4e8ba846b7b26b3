"""One real example of every format, written by the library that owns it."""

import bz2
import gzip
import io
import json
import lzma
import struct
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np
import pandas as pd

TABLE = pd.DataFrame(
    {
        "whole": [3, -1, 2, 7, 5],
        "fraction": [0.1, np.nan, -2.5e-7, 1 / 3, 1e300],
        "truth": [True, False, True, True, False],
        "words": ["plain", 'with "quotes"', "a, comma", None, "naïve"],
        "class": ["u", "v", "u", "v", "v"],
    }
)
MATRIX = np.random.default_rng(0).standard_normal((6, 4))
LABELS = np.array([0, 1, 1, 0, 2, 1])


def csv_bytes() -> bytes:
    return TABLE.to_csv(index=False).encode()


def zip_bytes(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


def parquet_bytes(table: pd.DataFrame = TABLE, **settings) -> bytes:
    out = io.BytesIO()
    table.to_parquet(out, index=False, **settings)
    return out.getvalue()


def feather_bytes(table: pd.DataFrame = TABLE, **settings) -> bytes:
    out = io.BytesIO()
    table.to_feather(out, **settings)
    return out.getvalue()


def xlsx_bytes(table: pd.DataFrame = TABLE, sheet: str = "Data") -> bytes:
    out = io.BytesIO()
    table.to_excel(out, index=False, sheet_name=sheet)
    return out.getvalue()


def cells_of(table: pd.DataFrame) -> list[list[object]]:
    """Return names and rows of a table as a sheet holds them, None for nothing."""
    values = table.astype(object).where(table.notna(), None)
    return [list(table.columns), *values.to_numpy().tolist()]


def xls_bytes(table: pd.DataFrame = TABLE, sheet: str = "Data") -> bytes:
    import xlwt

    book = xlwt.Workbook()
    page = book.add_sheet(sheet)
    for i, row in enumerate(cells_of(table)):
        for j, value in enumerate(row):
            if value is not None:
                page.write(i, j, value)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def ods_bytes(table: pd.DataFrame = TABLE, sheet: str = "Data") -> bytes:
    """Return a workbook as LibreOffice writes it."""

    def cell(value: object) -> str:
        match value:
            case None:
                return "<table:table-cell/>"
            case bool():
                kind, attribute = "boolean", f'office:boolean-value="{str(value).lower()}"'
            case int() | float():
                kind, attribute = "float", f'office:value="{value!r}"'
            case _:
                kind, attribute = "string", ""
        text = f"<text:p>{escape(str(value))}</text:p>"
        return f'<table:table-cell office:value-type="{kind}" {attribute}>{text}</table:table-cell>'

    rows = "".join(
        f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in cells_of(table)
    )
    names = "urn:oasis:names:tc:opendocument:xmlns"
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content '
        f'xmlns:office="{names}:office:1.0" xmlns:table="{names}:table:1.0" '
        f'xmlns:text="{names}:text:1.0" office:version="1.3"><office:body><office:spreadsheet>'
        f'<table:table table:name="{sheet}">{rows}</table:table>'
        f"</office:spreadsheet></office:body></office:document-content>"
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = (
        f'<manifest:manifest xmlns:manifest="{names}:manifest:1.0">'
        f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/>'
        f"</manifest:manifest>"
    )
    parts = {"mimetype": kind, "content.xml": content, "META-INF/manifest.xml": manifest}
    return zip_bytes({name: part.encode() for name, part in parts.items()})


def xlsb_bytes(table: pd.DataFrame = TABLE, sheet: str = "Data") -> bytes:
    """Return a workbook in the records of [MS-XLSB]: a number, a length and the data of each."""

    def record(number: int, data: bytes = b"") -> bytes:
        head = bytes([number]) if number < 128 else bytes([number & 0x7F | 0x80, number >> 7])
        size = len(data)
        lengths = bytes([size]) if size < 128 else bytes([size & 0x7F | 0x80, size >> 7])
        return head + lengths + data

    def text(words: str) -> bytes:
        return struct.pack("<I", len(words)) + words.encode("utf-16-le")

    def cell(column: int, value: object) -> bytes:
        place = struct.pack("<II", column, 0)  # and no style
        match value:
            case None:
                return b""
            case bool():
                return record(4, place + bytes([value]))
            case int() | float():
                return record(5, place + struct.pack("<d", value))
            case _:
                return record(6, place + text(str(value)))

    rows = cells_of(table)
    filled = b"".join(
        record(0, struct.pack("<I", i) + bytes(13))
        + b"".join(cell(j, v) for j, v in enumerate(row))
        for i, row in enumerate(rows)
    )
    size = struct.pack("<IIII", 0, len(rows) - 1, 0, len(rows[0]) - 1)
    page = record(129) + record(148, size) + record(145) + filled + record(146) + record(130)
    listed = record(156, struct.pack("<II", 0, 1) + text("rId1") + text(sheet))
    book = record(131) + record(143) + listed + record(144) + record(132)
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006/relationships"

    def relation(kind: str, target: str) -> bytes:
        one = f'<Relationship Id="rId1" Type="{office}/{kind}" Target="{target}"/>'
        return f'<Relationships xmlns="{package}">{one}</Relationships>'.encode()

    return zip_bytes(
        {
            "[Content_Types].xml": b"<Types/>",
            "_rels/.rels": relation("officeDocument", "xl/workbook.bin"),
            "xl/workbook.bin": book,
            "xl/_rels/workbook.bin.rels": relation("worksheet", "worksheets/sheet1.bin"),
            "xl/worksheets/sheet1.bin": page,
        }
    )


def workbook_bytes(sheets: dict[str, str], strings: str = "", styles: str = "") -> bytes:
    """Return a workbook as Excel writes them, of sheets and shared strings given as XML."""
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006/relationships"
    listed = "".join(
        f'<sheet name="{name}" sheetId="{i}" r:id="rId{i}"/>' for i, name in enumerate(sheets, 1)
    )
    related = "".join(
        f'<Relationship Id="rId{i}" Type="{office}/worksheet" Target="worksheets/sheet{i}.xml"/>'
        for i in range(1, len(sheets) + 1)
    )
    parts = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": f'<Relationships xmlns="{package}"><Relationship Id="rId1" '
        f'Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns:r="{office}"><sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}">{related}'
        f'<Relationship Id="s" Type="{office}/sharedStrings" Target="sharedStrings.xml"/>'
        f'<Relationship Id="t" Type="{office}/styles" Target="styles.xml"/></Relationships>',
        "xl/sharedStrings.xml": strings or "<sst/>",
        "xl/styles.xml": styles or "<styleSheet/>",
    }
    for i, rows in enumerate(sheets.values(), 1):
        sheet = f"<worksheet><sheetData>{rows}</sheetData></worksheet>"
        parts[f"xl/worksheets/sheet{i}.xml"] = sheet
    return zip_bytes(
        {name: part.encode("utf-8", "surrogateescape") for name, part in parts.items()}
    )


def npy_bytes(array: np.ndarray = MATRIX, **settings) -> bytes:
    out = io.BytesIO()
    np.save(out, array, **settings)
    return out.getvalue()


def npz_bytes(**arrays: np.ndarray) -> bytes:
    out = io.BytesIO()
    np.savez_compressed(out, **(arrays or {"X": MATRIX, "y": LABELS}))
    return out.getvalue()


def mat_bytes(compressed: bool = True, **arrays: object) -> bytes:
    from scipy.io import savemat

    out = io.BytesIO()
    savemat(out, arrays or {"X": MATRIX, "y": LABELS, "note": "text"}, do_compression=compressed)
    return out.getvalue()


def arff_bytes() -> bytes:
    import arff

    rows = TABLE.astype(object).where(TABLE.notna(), None)
    rows["truth"] = rows["truth"].map(str)
    document = {
        "relation": "example",
        "attributes": [
            ("whole", "INTEGER"),
            ("fraction", "REAL"),
            ("truth", ["True", "False"]),
            ("words", "STRING"),
            ("class", ["u", "v"]),
        ],
        "data": rows.to_numpy().tolist(),
    }
    return arff.dumps(document).encode()


def sparse_arff_bytes() -> bytes:
    return (
        b"@relation sparse\n@attribute a numeric\n@attribute b {x,y}\n@attribute c numeric\n@data\n"
        b"{0 1.5, 1 y}\n{}\n{2 -3}\n{1 ?, 2 4}\n{}\n"
    )


def libsvm_bytes() -> bytes:
    from sklearn.datasets import dump_svmlight_file

    out = io.BytesIO()
    dump_svmlight_file(MATRIX, LABELS, out, zero_based=False)
    return out.getvalue()


def json_bytes(orient: str = "records", **settings) -> bytes:
    return TABLE.to_json(orient=orient, double_precision=15, **settings).encode()


def arrow_bytes(table: pd.DataFrame = TABLE) -> bytes:
    """Return a stream of Arrow, as the library `datasets` keeps its shards."""
    import pyarrow as pa

    out = io.BytesIO()
    arrow = pa.Table.from_pandas(table, preserve_index=False)
    with pa.ipc.new_stream(out, arrow.schema) as writer:
        writer.write_table(arrow, max_chunksize=2)
    return out.getvalue()


DOCUMENTS = pd.DataFrame(
    {
        "text": ["one", "two", None, "four", "a, [5]"],
        "label": ["u", "v", "u", "v", "v"],
        "tags": [["a"], [], ["a", "b"], None, ["c"]],
        "seen": [[3], [1, 2], [], [5, 6, 7], [8]],
    }
)
"""What stands beside vectors; `vectors` goes into the middle of it."""
VECTORS = np.random.default_rng(1).standard_normal((5, 20)).astype(np.float32)


def with_vectors(vectors: list[object], name: str = "vector") -> pd.DataFrame:
    table = DOCUMENTS.copy()
    table.insert(1, name, vectors)
    return table


def fixed_bytes(write: str, kind: str = "fixed") -> bytes:
    """Return a table with vectors in a type of Arrow that pandas does not write."""
    import pyarrow as pa
    import pyarrow.feather
    import pyarrow.parquet

    numbers = pa.FixedSizeListArray.from_arrays(pa.array(VECTORS.ravel()), 20)
    if kind == "tensor":
        numbers = pa.FixedShapeTensorArray.from_numpy_ndarray(VECTORS.reshape(5, 4, 5))
    elif kind == "large":
        numbers = numbers.cast(pa.large_list(pa.float32()))
    table = pa.Table.from_pandas(DOCUMENTS, preserve_index=False)
    table = table.add_column(1, "vector", numbers)
    out = io.BytesIO()
    if write == "parquet":
        pa.parquet.write_table(table, out, row_group_size=2)
    elif write == "feather":
        pa.feather.write_feather(table, out, chunksize=2)
    else:
        with pa.ipc.new_stream(out, table.schema) as writer:
            writer.write_table(table, max_chunksize=2)
    return out.getvalue()


VECTOR_FILES = {
    "vectors.parquet": parquet_bytes(with_vectors(list(VECTORS))),
    "fixed.parquet": fixed_bytes("parquet"),
    "tensor.parquet": fixed_bytes("parquet", "tensor"),
    "large.feather": fixed_bytes("feather", "large"),
    "fixed.feather": fixed_bytes("feather"),
    "tensor.arrow": fixed_bytes("arrow", "tensor"),
    "vectors.csv": with_vectors([str(row.tolist()) for row in VECTORS])
    .to_csv(index=False).encode(),
    "vectors.json": with_vectors(VECTORS.astype(float).tolist())
    .to_json(orient="records", double_precision=15).encode(),
    "vectors.jsonl": with_vectors(VECTORS.astype(float).tolist())
    .to_json(orient="records", lines=True, double_precision=15).encode(),
    "columns.json": json.dumps(
        {name: list(c) for name, c in with_vectors(VECTORS.astype(float).tolist()).items()}
    ).encode(),
}  # fmt: skip
"""One table with a column of vectors, in every format that holds such columns."""


def hdf5_bytes(**arrays: np.ndarray) -> bytes:
    import h5py

    out = io.BytesIO()
    with h5py.File(out, "w") as file:
        for name, array in (arrays or {"group/X": MATRIX, "y": LABELS}).items():
            file[name] = array
    return out.getvalue()


def h5ad_bytes(form: str) -> bytes:
    """Return a file that anndata wrote: `written/anndata_files.py`."""
    return Path(__file__).with_name("written").joinpath(f"{form}.h5ad").read_bytes()


def safetensors_bytes(**tensors: np.ndarray) -> bytes:
    from safetensors.numpy import save

    return save(tensors or {"X": MATRIX, "y": LABELS})


CLOUD = {"x": [0.0, 1.5, -2.0, 3.25], "y": [1.0, 2.0, 3.0, 4.0], "z": [0.5, 0.25, 0.125, 0.0]}


def ply_bytes(text: bool = False) -> bytes:
    from plyfile import PlyData, PlyElement

    vertices = np.zeros(4, dtype=[("x", "f4"), ("y", "f4"), ("z", "f4"), ("red", "u1")])
    for axis, values in CLOUD.items():
        vertices[axis] = values
    vertices["red"] = [1, 2, 3, 255]
    faces = np.array([([0, 1, 2],), ([1, 2, 3],)], dtype=[("vertex_indices", "i4", (3,))])
    parts = [PlyElement.describe(vertices, "vertex"), PlyElement.describe(faces, "face")]
    out = io.BytesIO()
    PlyData(parts, text=text).write(out)
    return out.getvalue()


def las_bytes() -> bytes:
    import laspy

    cloud = laspy.LasData(laspy.LasHeader(point_format=3, version="1.4"))
    cloud.header.scales = [0.001] * 3
    for axis, values in CLOUD.items():
        setattr(cloud, axis, np.array(values))
    cloud.classification = np.array([2, 6, 2, 6])
    out = io.BytesIO()
    cloud.write(out)
    return out.getvalue()


def zarr_members(zarr_format: int = 3, **settings) -> dict[str, bytes]:
    """Return the files of a store, by their paths."""
    import zarr

    held: dict[str, object] = {}
    group = zarr.open_group(zarr.storage.MemoryStore(held), mode="w", zarr_format=zarr_format)
    group.create_array("X", data=MATRIX, chunks=(4, 4), **settings)
    group.create_array("y", data=LABELS)
    return {f"points.zarr/{path}": buffer.to_bytes() for path, buffer in held.items()}


def shard_members() -> dict[str, bytes]:
    """Return the files of a dataset as the library `datasets` saves it to disk."""
    import pyarrow as pa

    table = pa.Table.from_pandas(with_vectors(list(VECTORS)), preserve_index=False)

    def shard(start: int, stop: int) -> bytes:
        out = io.BytesIO()
        with pa.ipc.new_stream(out, table.schema) as writer:
            writer.write_table(table.slice(start, stop - start))
        return out.getvalue()

    return {
        "words/dataset_dict.json": b'{"splits": ["train", "test"]}',
        "words/train/state.json": b"{}",
        "words/train/data-00000-of-00002.arrow": shard(0, 3),
        "words/train/data-00001-of-00002.arrow": shard(3, 5),
        "words/test/data-00000-of-00001.arrow": shard(1, 3),
    }


def picture_bytes(shade: int) -> bytes:
    from PIL import Image

    out = io.BytesIO()
    Image.new("L", (3, 2), shade).save(out, "PNG")
    return out.getvalue()


def picture_members() -> dict[str, bytes]:
    """Return a table, and beside it the pictures its paths lead to."""
    rows = "".join(f"img/{i}.png,{i + 0.5}\n" for i in range(4))
    pictures = {f"set/img/{i}.png": picture_bytes(40 * i) for i in range(3)}
    return {"set/table.csv": f"file,size\n{rows}".encode(), **pictures}


EXAMPLES = {
    "csv": csv_bytes(),
    "csv.gz": gzip.compress(csv_bytes(), mtime=0),
    "csv.bz2": bz2.compress(csv_bytes()),
    "csv.xz": lzma.compress(csv_bytes()),
    "csv.zip": zip_bytes({"data.csv": csv_bytes()}),
    "parquet": parquet_bytes(),
    "feather": feather_bytes(),
    "xlsx": xlsx_bytes(),
    "xls": xls_bytes(),
    "xlsb": xlsb_bytes(),
    "ods": ods_bytes(),
    "npy": npy_bytes(),
    "npz": npz_bytes(),
    "mat": mat_bytes(),
    "arff": arff_bytes(),
    "sparse.arff": sparse_arff_bytes(),
    "libsvm": libsvm_bytes(),
    "json": json_bytes(),
    "jsonl": json_bytes(lines=True),
    "arrow": arrow_bytes(),
    **VECTOR_FILES,
    "h5ad": h5ad_bytes("csc"),
    "csr.h5ad": h5ad_bytes("csr"),
    "hdf5": hdf5_bytes(),
    "safetensors": safetensors_bytes(),
    "ply": ply_bytes(),
    "text.ply": ply_bytes(text=True),
    "las": las_bytes(),
    "zarr.zip": zip_bytes(zarr_members()),
    "shards.zip": zip_bytes(shard_members()),
    "pictures.zip": zip_bytes(picture_members()),
}
