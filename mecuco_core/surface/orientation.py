"""One side for all normals of a hypersurface."""

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from mecuco_core.types import FloatArray, IntArray

LINKS = 8
"""Nearest neighbours of a point along which its normal may be carried."""


def orientation(normals: FloatArray, neighbors: IntArray, bending: FloatArray) -> FloatArray:
    """Return the sign of every normal that makes neighbouring ones agree.

    Signs are carried from point to point along the spanning tree of the neighbour graph that
    turns the normals least (Hoppe et al. 1992). Each connected part is then turned as a whole so
    that it bends towards its normals on average, which makes a sphere positively curved. A
    one-sided surface keeps a seam.

    Parameters
    ----------
    normals : ndarray of shape (n_points, n_features)
    neighbors : ndarray of shape (n_points, n_neighbors)
    bending : ndarray of shape (n_points,)
        Mean curvature towards each normal as it is.

    Returns
    -------
    ndarray of shape (n_points,)
        1 or -1.

    References
    ----------
    H. Hoppe, T. DeRose, T. Duchamp, J. McDonald, W. Stuetzle, "Surface reconstruction from
    unorganized points", SIGGRAPH 1992, 71-78.
    """
    n = len(normals)
    ends = neighbors[:, :LINKS]
    starts = np.repeat(np.arange(n), ends.shape[1])
    cosines = np.einsum("ij,ikj->ik", normals, normals[ends]).ravel()
    turns = 1.0 - np.abs(cosines) + 1e-6  # never zero, which would be no edge
    graph = sparse.csr_array((turns, (starts, ends.ravel())), shape=(n, n))
    n_parts, part = csgraph.connected_components(graph, directed=False)
    tree = csgraph.minimum_spanning_tree(graph).tocoo()

    # A node beyond the points joins the parts, so that one walk visits them all.
    _, roots = np.unique(part, return_index=True)
    rows = np.append(tree.row, np.full(n_parts, n))
    columns = np.append(tree.col, roots)
    links = np.ones(len(rows), dtype=float)
    joined = sparse.csr_array((links, (rows, columns)), shape=(n + 1, n + 1))
    order, before = csgraph.breadth_first_order(joined, n, directed=False)
    before = np.where(before[:n] == n, np.arange(n), before[:n])
    step = np.where(np.einsum("ij,ij->i", normals, normals[before]) < 0.0, -1.0, 1.0).tolist()
    signs = [1.0] * n
    parents = before.tolist()
    for node in order[1:].tolist():
        signs[node] = step[node] * signs[parents[node]]
    carried = np.array(signs)
    towards = np.bincount(part, weights=carried * bending, minlength=n_parts)
    return carried * np.where(towards < 0.0, -1.0, 1.0)[part]
