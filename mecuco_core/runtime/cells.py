"""What an AnnData holds, known by its parts: the package anndata is not needed."""

from typing import Any

from mecuco_core.errors import DataError
from mecuco_core.runtime.wording import named, quoted

_PARTS = ("X", "obs", "obs_names", "obsm", "obsp", "uns", "var_names")
_USUAL = "X_pca"
WHOLE = "X"
"""The matrix of all genes itself."""


def is_cells(data: object) -> bool:
    """Whether an object has the parts of an AnnData."""
    return all(hasattr(data, part) for part in _PARTS)


def representation_name(cells: Any, use_rep: str | None) -> str:
    """Return which representation is meant: `X_pca` for None where there is one, else `X`."""
    if use_rep is None:
        return _USUAL if _USUAL in cells.obsm else WHOLE
    if use_rep != WHOLE and use_rep not in cells.obsm:
        known = named([WHOLE, *map(str, cells.obsm.keys())], 20)
        raise DataError(f"use_rep must be one of {known}, got {quoted(str(use_rep))}")
    return use_rep


def representation(cells: Any, name: str) -> Any:
    """Return the matrix of a representation, (n_cells, n_dimensions), dense or sparse."""
    values = cells.X if name == WHOLE else cells.obsm[name]
    if values is None:
        raise DataError("the AnnData has no X: choose a representation with use_rep")
    if hasattr(values, "to_memory"):  # of a file that stays on disk
        values = values.to_memory()
    return values.to_numpy() if hasattr(values, "to_numpy") else values
