"""AnnData in HDF5 (h5ad): one matrix of the cells becomes the points, `obs` stands beside it."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mecuco_core.datasets.base import Vectors
from mecuco_core.datasets.files.archives import Unpacked
from mecuco_core.datasets.files.binary.arrays import plain_values
from mecuco_core.datasets.files.binary.hdf5 import Store, opened_hdf5
from mecuco_core.datasets.files.damage import shown
from mecuco_core.datasets.files.limits import check_bytes, check_size
from mecuco_core.datasets.files.options import Findings, ReadOptions
from mecuco_core.datasets.files.table.names import unique_names
from mecuco_core.datasets.files.table.vectors import component_names
from mecuco_core.errors import DataError

_PREFERRED = ("obsm/X_pca", "X")
_LABELS = ("cell_type", "celltype", "cell_types", "leiden", "louvain", "clusters")
_SPARSE = ("csr_matrix", "csc_matrix")


def is_anndata(unpacked: Unpacked) -> bool:
    """Whether a file of HDF5 is an AnnData."""
    with opened_hdf5(unpacked) as store:
        if str(store.attributes.get("encoding-type", "")) == "anndata":
            return True
        return store.has("obs") and store.has("var") and (store.has("X") or store.has("obsm"))


def settle_anndata(unpacked: Unpacked, options: ReadOptions, findings: Findings) -> ReadOptions:
    """Choose the matrix that becomes the points."""
    with opened_hdf5(unpacked) as store:
        found = _matrices(store)
    findings.variables = tuple(found)
    listed = ", ".join(f"{shown(n, 40)} {rows}×{columns}" for n, (rows, columns) in found.items())
    if not found:
        raise DataError("The AnnData has neither X nor a matrix in obsm; there are no points.")
    name = options.variable
    if name is None:
        name = next(
            (preferred for preferred in _PREFERRED if preferred in found), next(iter(found))
        )
        if len(found) > 1:
            findings.note(f"The AnnData holds {listed}; the option variable chooses.")
    elif name not in found:
        raise DataError(f"variable must be a matrix of the AnnData ({listed}), got {shown(name)!r}")
    return replace(options, variable=name)


def read_anndata(
    unpacked: Unpacked, options: ReadOptions, findings: Findings, n_rows: int | None = None
) -> pd.DataFrame:
    """Read the chosen matrix, the names of the cells and every column of `obs`.

    Returns
    -------
    DataFrame of shape (n_cells, n_columns)
    """
    with opened_hdf5(unpacked) as store:
        return _cells(store, options, findings, n_rows)


def _cells(
    store: Store, options: ReadOptions, findings: Findings, n_rows: int | None
) -> pd.DataFrame:
    name = options.variable
    assert name is not None
    whole, width = _matrices(store)[name]
    n_cells = whole if n_rows is None else min(n_rows, whole)
    obs = _table(store, "obs", n_cells)
    check_size(n_cells, width + obs.shape[1], options)
    matrix = _matrix(store, name, (whole, width), n_cells, options)
    if len(obs) != n_cells:
        raise DataError(
            f"obs has {len(obs):,} rows and {shown(name, 40)} has {n_cells:,}; the file is damaged."
        )
    if name.startswith("obsm/"):
        columns = component_names(name.removeprefix("obsm/"), width, list(obs.columns))
    else:
        columns = _gene_names(store, name, width, list(obs.columns), findings)
    points = pd.DataFrame(matrix, columns=columns, copy=False)
    findings.vectors = Vectors(name.removeprefix("obsm/"), tuple(columns))
    findings.suggested_target = next((label for label in _LABELS if label in obs.columns), None)
    findings.note(
        f"The points are {shown(name, 40)} ({width:,} numbers a cell); the columns of obs describe "
        "them."
    )
    return pd.concat([obs, points], axis=1)


def _matrices(store: Store) -> dict[str, tuple[int, int]]:
    """Return the matrices that can be the points, with their shapes."""
    names = ["X"] if store.has("X") else []
    for group in ("obsm", "layers"):
        if store.is_group(group):
            names += [f"{group}/{name}" for name in store.names(group)]
    found = {}
    for name in names:
        shape = _shape(store, name)
        if len(shape) == 2 and min(shape) > 0:
            found[name] = (int(shape[0]), int(shape[1]))
    return found


def _shape(store: Store, name: str) -> tuple[int, ...]:
    if not store.is_group(name):
        array = store.array(name)
        return tuple(array.shape) if array.dtype.kind in "biuf" else ()
    attributes = store.group(name).attrs
    if str(attributes.get("encoding-type", "")) not in _SPARSE:
        return ()
    return tuple(int(n) for n in np.ravel(attributes["shape"]))


def _matrix(
    store: Store, name: str, shape: tuple[int, int], n_rows: int, options: ReadOptions
) -> NDArray[Any]:
    """Return the first rows of a matrix, dense or sparse in the file, as a dense one."""
    if not store.is_group(name):
        array = store.array(name)
        check_bytes(n_rows * shape[1] * array.dtype.itemsize, options.max_bytes, "The matrix")
        found = plain_values(array[:n_rows])
        return found if found.dtype.kind == "f" else found.astype(np.float64)
    from scipy.sparse import csc_matrix, csr_matrix

    by_rows = str(store.group(name).attrs["encoding-type"]) == "csr_matrix"
    pointers = store.array(f"{name}/indptr")[: n_rows + 1 if by_rows else None]
    stop = int(pointers[-1]) if len(pointers) else 0
    data, indices = store.array(f"{name}/data"), store.array(f"{name}/indices")
    width = 4 if data.dtype.itemsize <= 4 else 8
    check_bytes(n_rows * shape[1] * width, options.max_bytes, "The matrix")
    check_bytes(stop * (data.dtype.itemsize + 8), options.max_bytes, "The matrix")
    rows = n_rows if by_rows else shape[0]
    make = csr_matrix if by_rows else csc_matrix
    values = data[:stop].astype(np.float32 if width == 4 else np.float64)
    sparse = make((values, indices[:stop], pointers), shape=(rows, shape[1]))
    sparse.check_format(full_check=True)
    dense: NDArray[Any] = (sparse if by_rows else sparse.tocsr()[:n_rows]).toarray()
    return dense


def _gene_names(
    store: Store, name: str, width: int, taken: list[str], findings: Findings
) -> list[str]:
    """Return what the columns of a matrix of all genes are called."""
    names: list[str] = []
    if store.is_group("var"):
        index = _index(store, "var")
        if index is not None:
            names = [str(one) for one in _values(store, f"var/{index}", width)]
    if len(names) != width:
        return component_names(name, width, taken)
    return unique_names([*taken, *names], findings)[len(taken) :]


def _table(store: Store, path: str, n_rows: int) -> pd.DataFrame:
    """Return the first rows of a table, the names of its rows first."""
    if not store.is_group(path):
        array = store.array(path)  # as AnnData wrote before 0.7
        if array.dtype.names is None:
            raise DataError(f"{path} of the AnnData is no table; the file is damaged.")
        rows = array[:n_rows]
        return pd.DataFrame({name: _readable(rows[name]) for name in array.dtype.names})
    index = _index(store, path)
    order = [_text(name) for name in np.ravel(store.group(path).attrs.get("column-order", []))]
    names = [name for name in order or store.names(path) if name not in (index, "__categories")]
    columns = {} if index is None else {_called(index): _values(store, f"{path}/{index}", n_rows)}
    for name in names:
        columns[_called(name)] = _values(store, f"{path}/{name}", n_rows)
    return pd.DataFrame({name: pd.Series(values) for name, values in columns.items()})


def _index(store: Store, path: str) -> str | None:
    """Return the column that holds the names of the rows."""
    name = _text(store.group(path).attrs.get("_index", "_index"))
    return name if store.has(f"{path}/{name}") else None


def _called(name: str) -> str:
    return "obs_name" if name in ("_index", "index") else name


def _values(store: Store, path: str, n_rows: int) -> Any:
    """Return the first values of a column, in whichever form AnnData wrote it."""
    if not store.is_group(path):
        values = _readable(store.array(path)[:n_rows])
        parent, _, name = path.rpartition("/")
        former = f"{parent}/__categories/{name}"  # as AnnData wrote before 0.7
        if store.has(f"{parent}/__categories") and store.has(former):
            return _categorical(values, _readable(store.array(former)[:]), ordered=False)
        return values
    held = store.names(path)
    if {"codes", "categories"} <= set(held):
        codes = store.array(f"{path}/codes")[:n_rows]
        ordered = bool(store.group(path).attrs.get("ordered", False))
        return _categorical(codes, _readable(store.array(f"{path}/categories")[:]), ordered)
    if {"values", "mask"} <= set(held):
        given = pd.Series(_readable(store.array(f"{path}/values")[:n_rows]))
        mask = np.asarray(store.array(f"{path}/mask")[:n_rows], dtype=bool)
        if given.dtype == bool:
            return given.astype("boolean").mask(mask)
        text = given.dtype == object or isinstance(given.dtype, pd.StringDtype)
        return given.where(~mask) if text else given.astype("float64").mask(mask)
    raise DataError(f"The column {shown(path, 60)} is of a form that is not known here.")


def _categorical(codes: Any, categories: Any, ordered: bool) -> pd.Categorical:
    names = pd.Series(categories).astype("str") if categories.dtype == object else categories
    codes = np.asarray(codes, dtype=np.int64)
    if len(codes) and not -1 <= codes.min() <= codes.max() < len(names):
        raise DataError("A column of categories names one that is not there; the file is damaged.")
    return pd.Categorical.from_codes(codes, pd.Index(names), ordered=ordered)


def _readable(values: NDArray[Any]) -> NDArray[Any]:
    """Return values with text as text."""
    if values.dtype.kind == "O":
        return np.array([_text(one) for one in values], dtype=object)
    return plain_values(values)


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
