"""Writes the h5ad files of this folder, by the library that owns the format.

    python anndata_files.py

anndata asks for an older pandas than the engine, so it is not among the packages of development.
Made on 2026-11-19 with anndata 0.12.19, h5py 3.16.0, numpy 2.4.6, pandas 2.3.3, Python 3.11.
"""

from pathlib import Path

import anndata
import numpy as np
import pandas as pd
import scipy.sparse as sp

rng = np.random.default_rng(0)
obs = pd.DataFrame(
    {
        "cell_type": pd.Categorical(["T", "B", "T", None, "NK", "B", "T", "B"]),
        "n_genes": np.arange(8),
        "note": [f"note {i}" for i in range(8)],
        "batch": pd.array([1, None, 3, 1, 2, 3, 1, 2], dtype="Int64"),
        "doublet": pd.array([True, None, False, False, True, False, False, True], dtype="boolean"),
    },
    index=[f"cell{i}" for i in range(8)],
)
counts = sp.random(8, 12, 0.4, format="csr", random_state=0, dtype=np.float32)
genes = pd.DataFrame(index=[f"gene{i}" for i in range(12)])
pca = rng.standard_normal((8, 5)).astype(np.float32)

for form in ("csr", "csc", "dense"):
    matrix = counts.toarray() if form == "dense" else counts.asformat(form)
    data = anndata.AnnData(matrix, obs=obs, var=genes)
    if form == "csc":
        data.obsm["X_pca"] = pca
        data.layers["counts"] = counts
    data.write_h5ad(Path(__file__).with_name(f"{form}.h5ad"), compression="gzip")
np.savez(Path(__file__).with_name("expected.npz"), counts=counts.toarray(), pca=pca)
