"""Least squares on few columns, compiled: Gram–Schmidt on the columns, held as rows.

Sums may be taken in any order (fastmath), but only where nothing is written: a loop that writes is
compiled twice, and which of the two runs depends on where arrays lie in memory.

A   (q, N)  one column of the design in each row; orthonormal afterwards
R   (q, q)  upper triangular, column j of the design = sum_i R_ij A_i
"""

from typing import Any

import numpy as np

from mecuco_core.kernels.compiled import compiled
from mecuco_core.kernels.surface.quadric import SMALLEST_PIVOT


@compiled(error_model="numpy", fastmath={"contract", "reassoc"})
def inner(a: Any, b: Any) -> Any:
    """Return a . b."""
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@compiled(error_model="numpy")
def subtract(a: Any, share: Any, b: Any) -> None:
    """Overwrite a with a - share b."""
    for i in range(len(a)):
        a[i] -= share * b[i]


@compiled(error_model="numpy")
def multiply(A: Any, B: Any, out: Any) -> None:
    """Fill out with A B; for a few rows quicker than a call of BLAS."""
    for i in range(len(A)):
        for n in range(B.shape[1]):
            out[i, n] = 0.0
        for j in range(len(B)):
            for n in range(B.shape[1]):
                out[i, n] += A[i, j] * B[j, n]


@compiled(error_model="numpy")
def orthonormalise(A: Any, R: Any) -> Any:
    """Overwrite A, fill R, zero so far, and say whether the columns are independent.

    One that lies in the span of those before it becomes a row of zeros, and its coefficient
    zero. A column that loses a digit is taken through a second time, which keeps the rows
    orthogonal to rounding.
    """
    independent = True
    for j in range(len(A)):
        own = np.sqrt(inner(A[j], A[j]))
        left = own
        for _ in range(2):
            for i in range(j):
                share = inner(A[i], A[j])
                R[i, j] += share
                subtract(A[j], share, A[i])
            left = np.sqrt(inner(A[j], A[j]))
            if left > 0.1 * own:
                break
        if left > SMALLEST_PIVOT * own:
            R[j, j] = left
            for n in range(A.shape[1]):
                A[j, n] /= left
        else:
            independent = False
            for n in range(A.shape[1]):
                A[j, n] = 0.0
    return independent


@compiled(error_model="numpy")
def solve_upper(R: Any, first: Any, last: Any, z: Any) -> None:
    """Overwrite z[first:last] with the solution of that block of R."""
    for j in range(last - 1, first - 1, -1):
        for i in range(j + 1, last):
            z[j] -= R[j, i] * z[i]
        z[j] = z[j] / R[j, j] if R[j, j] > 0.0 else 0.0


@compiled(error_model="numpy")
def solve_transposed(R: Any, first: Any, last: Any, z: Any) -> None:
    """Overwrite z[first:last] with the solution of that block of R, transposed."""
    for j in range(first, last):
        for i in range(first, j):
            z[j] -= R[i, j] * z[i]
        z[j] = z[j] / R[j, j] if R[j, j] > 0.0 else 0.0
