"""What numba does one number at a time and a processor many, in the compiler's own language.

Squared distances in single precision, of one row to four others: feature i is added to lane i % 16,
then the upper half of the lanes to the lower, until one is left. A processor takes 16, 8 or 4 lanes
at once and finds the same bits, where a compiler that is left to itself either keeps to the order
of the features, and is slow, or takes one that suits its machine. And the few of many numbers that
pass a test. `squares_by_hand` and `passing_by_hand` compute the same.

    x, a, b, c, d   addresses of rows of float32
    m               features, a multiple of 16 (rows are filled up with zeros, see `padded`)
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from mecuco_core.kernels.compiled import compiled

LANES = 16
TESTED = 64
"""Numbers tested at once."""


def padded(n_features: int) -> int:
    """Features of a row, with the zeros that fill its last lanes."""
    return -(-n_features // LANES) * LANES


def squares_by_hand(
    x: npt.NDArray[np.float32], rows: npt.NDArray[np.float32]
) -> npt.NDArray[np.float32]:
    """Squared distances of x (m,) to rows (r, m), as the compiled code takes them."""
    lanes = np.zeros((len(rows), LANES), dtype=np.float32)
    for start in range(0, len(x), LANES):
        difference = x[start : start + LANES] - rows[:, start : start + LANES]
        lanes += difference * difference
    while lanes.shape[1] > 1:
        half = lanes.shape[1] // 2
        lanes = lanes[:, :half] + lanes[:, half:]
    return lanes[:, 0]


def passing_by_hand(
    products: npt.NDArray[np.float32], halves: npt.NDArray[np.float32], least: float
) -> npt.NDArray[np.int64]:
    """Places where products - halves is at least so much, as the compiled code finds them."""
    return np.flatnonzero(products - halves >= np.float32(least))


def _zeros(builder: Any, vector: Any) -> Any:
    return cgutils.alloca_once_value(builder, ir.Constant(vector, None))  # type: ignore[no-untyped-call]


def _fold(builder: Any, lanes: Any) -> Any:
    """Add the upper half of the lanes to the lower until one is left."""
    half = LANES // 2
    while half >= 1:
        low, high = (
            builder.shuffle_vector(
                lanes, lanes, ir.Constant(ir.VectorType(ir.IntType(32), half), list(part))
            )
            for part in (range(half), range(half, 2 * half))
        )
        lanes = builder.fadd(low, high)
        half //= 2
    return builder.extract_element(lanes, ir.Constant(ir.IntType(32), 0))


def _build_four_squares(typing_context: Any, x: Any, a: Any, b: Any, c: Any, d: Any, m: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = ir.VectorType(ir.FloatType(), LANES)
        x, *rows, m = arguments
        sums = [_zeros(builder, vector) for _ in rows]
        step = ir.Constant(m.type, LANES)
        with cgutils.for_range(builder, builder.sdiv(m, step)) as loop:
            offset = builder.mul(loop.index, ir.Constant(m.type, 4 * LANES))

            def part(address: Any) -> Any:
                place = builder.inttoptr(builder.add(address, offset), vector.as_pointer())
                return builder.load(place, align=4)

            here = part(x)
            for row, total in zip(rows, sums, strict=True):
                difference = builder.fsub(here, part(row))
                square = builder.fmul(difference, difference)
                builder.store(builder.fadd(builder.load(total), square), total)
        folded = [_fold(builder, builder.load(total)) for total in sums]
        return context.make_tuple(builder, signature.return_type, folded)

    whole: Any = types.int64
    four: Any = types.UniTuple(types.float32, 4)  # type: ignore[no-untyped-call]
    return four(whole, whole, whole, whole, whole, whole), build


_four_squares: Any = intrinsic(_build_four_squares)


@compiled()
def squares_between(
    x_at: Any, points_at: Any, m: Any, members: Any, first: Any, stop: Any, out: Any
) -> None:
    """Fill out[first:stop] with squared distances of a row to points members[first:stop].

    Rows of points are padded to m features and stand one behind the other.
    """
    m = np.int64(m)
    x_at, points_at, width = np.int64(x_at), np.int64(points_at), 4 * m
    last = stop - 1
    for b in range(first, stop, 4):
        s0, s1, s2, s3 = _four_squares(
            x_at,
            points_at + np.int64(members[b]) * width,
            points_at + np.int64(members[min(b + 1, last)]) * width,
            points_at + np.int64(members[min(b + 2, last)]) * width,
            points_at + np.int64(members[min(b + 3, last)]) * width,
            m,
        )
        out[b] = s0
        if b + 1 < stop:
            out[b + 1] = s1
        if b + 2 < stop:
            out[b + 2] = s2
        if b + 3 < stop:
            out[b + 3] = s3


def _build_tests(typing_context: Any, a: Any, b: Any, least: Any) -> Any:
    """One bit for each of 64 differences a - b: whether it is at least so much."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = ir.VectorType(ir.FloatType(), TESTED)
        left, right = (
            builder.load(builder.inttoptr(address, vector.as_pointer()), align=4)
            for address in arguments[:2]
        )
        floor = ir.Constant(vector, ir.Undefined)
        floor = builder.insert_element(floor, arguments[2], ir.Constant(ir.IntType(32), 0))
        everywhere = ir.Constant(ir.VectorType(ir.IntType(32), TESTED), [0] * TESTED)
        floor = builder.shuffle_vector(floor, floor, everywhere)
        passed = builder.fcmp_ordered(">=", builder.fsub(left, right), floor)
        return builder.bitcast(passed, ir.IntType(TESTED))

    return types.uint64(types.int64, types.int64, types.float32), build


_tests: Any = intrinsic(_build_tests)


def _build_lowest(typing_context: Any, bits: Any) -> Any:
    """Place of the lowest bit that is set."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), build


_lowest: Any = intrinsic(_build_lowest)


@compiled()
def passing(products_at: Any, halves_at: Any, size: Any, least: Any, places: Any) -> Any:
    """Fill places with where products - halves is at least so much; return how many there are.

    Of the first `size` of 64 numbers, which are read all.
    """
    count = 0
    bits = _tests(products_at, halves_at, least)
    if size < TESTED:
        bits &= (np.uint64(1) << np.uint64(size)) - np.uint64(1)
    while bits != np.uint64(0):
        places[count] = _lowest(bits)
        count += 1
        bits &= bits - np.uint64(1)
    return count
