"""Least squares on few columns, compiled: Gram–Schmidt on the columns, held as rows.

The order of sums is written here. Left to the compiler (fastmath) it may differ between a function
and its copy within a caller: a process that compiles runs the one, those that load from disk the
other.

A   (q, N)  one column of the design in each row; orthonormal afterwards
R   (q, q)  upper triangular, column j of the design = sum_i R_ij A_i
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from mecuco_core.kernels.compiled import compiled

SMALLEST_PIVOT = 1e-9
"""A column this close to the span of those before it, relative to its length, is in it."""

LANES = 4


def _build_lanes(typing_context: Any, a: Any, b: Any) -> Any:
    """Sum of the products of whole vectors of four: that of entry i is added to lane i % 4."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = ir.VectorType(ir.DoubleType(), LANES)
        left, right = (
            context.make_array(kind)(context, builder, value)
            for kind, value in zip(signature.args, arguments, strict=True)
        )
        total = cgutils.alloca_once_value(builder, ir.Constant(vector, None))  # type: ignore[no-untyped-call]
        size = builder.extract_value(left.shape, 0)
        with cgutils.for_range(builder, builder.sdiv(size, size.type(LANES))) as loop:
            start = builder.mul(loop.index, size.type(LANES))
            x, y = (
                builder.load(
                    builder.bitcast(builder.gep(array.data, [start]), vector.as_pointer()), align=8
                )
                for array in (left, right)
            )
            builder.store(builder.fadd(builder.load(total), builder.fmul(x, y)), total)
        lanes = builder.load(total)
        one, two, three, four = (
            builder.extract_element(lanes, ir.IntType(32)(lane)) for lane in range(LANES)
        )
        return builder.fadd(builder.fadd(one, three), builder.fadd(two, four))

    return types.float64(a, b), build


_lanes: Any = intrinsic(_build_lanes)


@compiled(error_model="numpy")
def inner(a: Any, b: Any) -> Any:
    """Return a . b of rows without gaps in memory."""
    rest = 0.0
    for i in range(len(a) - len(a) % LANES, len(a)):
        rest += a[i] * b[i]
    return _lanes(a, b) + rest


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
