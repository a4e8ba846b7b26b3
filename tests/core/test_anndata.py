"""Scores of the cells of an AnnData, with the real package."""

import anndata
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import mecuco as mc
from mecuco_core.score import stored_graph

N = 200
VALUES = np.random.default_rng(0).standard_normal((N, 5)).astype(np.float32)


def named(kind, n):
    """Return names as objects: anndata 0.12 cannot write the strings of pandas 3."""
    return pd.Index([f"{kind} {i}" for i in range(n)], dtype=object)


def cells(**parts):
    return anndata.AnnData(
        np.ones((N, 3), np.float32),
        obs=pd.DataFrame({"depth": np.arange(N)}, index=named("cell", N)),
        var=pd.DataFrame(index=named("gene", 3)),
        obsm={"X_pca": VALUES},
        **parts,
    )


def stored(k, change=None):
    """Return a graph as scanpy stores it: distances in single precision, in order of the rows."""
    graph = mc.knn_graph(VALUES, k)
    indices = np.array(graph.indices)
    if change is not None:
        change(indices)
    rows = np.repeat(np.arange(N), k)
    far = np.linalg.norm(VALUES[rows] - VALUES[indices.ravel()], axis=1).astype(np.float32)
    return sparse.csr_matrix((far, (rows, indices.ravel())), shape=(N, N))


def with_a_farther_one(indices):
    listed = {3, *indices[3]}
    indices[3, -1] = next(i for i in reversed(range(N)) if i not in listed)


def test_scores_and_halves_are_written_beside_the_cells():
    data = cells()
    result = mc.score_anndata(data)
    expected = mc.curvature(VALUES.astype(np.float64))
    np.testing.assert_array_equal(result.values, expected.values)
    for name in ("score", "scatter", "alignment"):
        values = expected.values if name == "score" else getattr(expected, name)
        np.testing.assert_array_equal(data.obs[f"mecuco_{name}"], values)
    said = data.uns["mecuco"]
    assert (said["mode"], said["n_neighbors"], said["use_rep"]) == ("haar", 8, "X_pca")


def test_mode_k_representation_and_key_are_chosen():
    data = cells()
    data.obsm["other"] = VALUES[:, :3]
    mc.score_anndata(data, "other", mode="fast", n_neighbors=5, key_added="mine")
    expected = mc.curvature(VALUES[:, :3].astype(np.float64), 5, mode="fast")
    np.testing.assert_array_equal(data.obs["mine_score"], expected.values)
    assert data.uns["mine"]["mode"] == "fast"


def test_they_are_read_back_from_a_file(tmp_path):
    data = cells()
    mc.score_anndata(data)
    data.write_h5ad(tmp_path / "cells.h5ad")
    back = anndata.read_h5ad(tmp_path / "cells.h5ad")
    np.testing.assert_array_equal(back.obs["mecuco_score"], data.obs["mecuco_score"])
    assert {key: str(value) for key, value in back.uns["mecuco"].items()} == {
        key: str(value) for key, value in data.uns["mecuco"].items()
    }


@pytest.mark.parametrize("searched_exactly", [True, False])
def test_a_graph_is_exact_or_is_not_used(monkeypatch, searched_exactly):
    if not searched_exactly:  # as with very many cells
        monkeypatch.setattr(stored_graph, "resolved_search", lambda *_: "approximate")
    expected = mc.curvature(VALUES.astype(np.float64), 8).values
    for change, exact in ((None, True), (with_a_farther_one, False)):
        data = cells(obsp={"distances": stored(9, change)})
        result = mc.score_anndata(data)
        np.testing.assert_allclose(result.values, expected)
        said = data.uns["mecuco"]["graph"]
        if searched_exactly:
            assert said.endswith("is the exact graph." if exact else "rows, and was not used.")
            assert exact or "in 1 of 200 rows" in said
        else:
            assert said.endswith("are exact." if exact else "were searched anew.")
            assert (result.graph.method == "given") == exact


def test_a_graph_with_too_few_or_uneven_neighbours_is_not_used():
    few, uneven = cells(obsp={"distances": stored(4)}), stored(9)
    mc.score_anndata(few)
    assert "4 neighbours of each row, fewer than 8" in few.uns["mecuco"]["graph"]
    uneven.data[5] = 0.0
    uneven.eliminate_zeros()
    data = cells(obsp={"distances": uneven})
    mc.score_anndata(data)
    assert "rows of different lengths" in data.uns["mecuco"]["graph"]


def test_what_is_no_anndata_is_refused():
    with pytest.raises(mc.DataError, match="adata must be an AnnData, got ndarray"):
        mc.score_anndata(VALUES)
    with pytest.raises(mc.DataError, match="use_rep must be one of X, X_pca, got 'X_umap'"):
        mc.score_anndata(cells(), "X_umap")
