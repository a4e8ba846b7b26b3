"""Scores of the cells of an AnnData, written where its other results are."""

from typing import Any

from mecuco_core.errors import DataError
from mecuco_core.runtime.cells import is_cells, representation, representation_name
from mecuco_core.score.curvature import Curvature, curvature
from mecuco_core.score.stored_graph import graph_beside
from mecuco_core.types import Mode
from mecuco_core.validation import check_n_neighbors, check_points

_STORED = "distances"


def score_anndata(
    adata: Any,
    use_rep: str | None = None,
    mode: Mode = "haar",
    n_neighbors: int | None = None,
    key_added: str = "mecuco",
) -> Curvature:
    """Score every cell, and write the scores to `obs` and the settings to `uns`.

    `obs` gets KEY_score and its halves KEY_scatter and KEY_alignment, `uns[KEY]` how they were
    made. The graph in `obsp["distances"]` is used only where it was checked to hold the nearest
    neighbours of `use_rep`: scanpy's is approximate on many cells, and of other features after
    another choice of them.

    Parameters
    ----------
    adata : AnnData
        Changed in place.
    use_rep : str or None
        Key of `obsm`, or "X". None for `X_pca` where there is one, else X.
    mode : {"original", "exact", "fast", "haar", "auto"}, default="haar"
        As for `curvature`.
    n_neighbors : int or None
        A cell is not its own neighbour, which scanpy counts. None for round(log2 n_cells).
    key_added : str, default="mecuco"

    Returns
    -------
    Curvature

    Raises
    ------
    DataError
        When this is no AnnData, or has no such representation.

    See Also
    --------
    curvature : The same of any points.
    show : Shows the cells in the app.

    Examples
    --------
    >>> import mecuco as mc
    >>> import numpy as np
    >>> from anndata import AnnData
    >>> cells = AnnData(np.random.default_rng(0).normal(size=(50, 4)))
    >>> score = mc.score_anndata(cells)
    >>> cells.obs.columns.tolist()
    ['mecuco_score', 'mecuco_scatter', 'mecuco_alignment']
    >>> cells.uns["mecuco"]["n_neighbors"], cells.uns["mecuco"]["graph"]
    (6, 'The neighbours were searched.')
    """
    if not is_cells(adata):
        raise DataError(f"adata must be an AnnData, got {type(adata).__name__}")
    rep = representation_name(adata, use_rep)
    points = check_points(representation(adata, rep), name=rep)
    k = check_n_neighbors(n_neighbors, len(points))
    stored = adata.obsp.get(_STORED, None)
    graph, said = graph_beside(stored, points, k, f"obsp[{_STORED!r}]")
    result = curvature(points, mode=mode, graph=graph)
    for part, values in (
        ("score", result.values),
        ("scatter", result.scatter),
        ("alignment", result.alignment),
    ):
        adata.obs[f"{key_added}_{part}"] = values
    adata.uns[key_added] = {
        "mode": result.mode,
        "n_neighbors": result.n_neighbors,
        "use_rep": rep,
        "search": graph.method,
        "graph": said,
        "notes": " ".join(result.notes),
    }
    return result
