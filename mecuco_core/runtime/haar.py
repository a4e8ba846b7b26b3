"""Random orthonormal vectors, uniform in the sense of Haar."""

import numpy as np

from mecuco_core.types import FloatArray


def random_frame(n_features: int, n_vectors: int, generator: np.random.Generator) -> FloatArray:
    """Draw orthonormal vectors uniformly: the first columns of a Haar orthogonal matrix.

    Parameters
    ----------
    n_features : int
    n_vectors : int
        At most `n_features`.
    generator : Generator

    Returns
    -------
    ndarray of shape (n_features, n_vectors)

    References
    ----------
    F. Mezzadri, "How to generate random matrices from the classical compact groups",
    Notices of the AMS 54 (2007), 592-604.
    """
    q, r = np.linalg.qr(generator.standard_normal((n_features, n_vectors)))
    # LAPACK fixes the signs of R by its own rule; a positive diagonal makes Q Haar.
    return q * np.where(np.diagonal(r) < 0, -1.0, 1.0)
