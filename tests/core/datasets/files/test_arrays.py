"""Arrays of NumPy and MATLAB."""

import numpy as np
import pytest
from scipy import sparse

from mecuco_core.datasets.files import ReadOptions, read, read_with_notes, sniff
from mecuco_core.errors import DataError
from tests.core.datasets.files.examples import LABELS, MATRIX, mat_bytes, npy_bytes, npz_bytes

NUMBERS = ["f8", "f4", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "?"]


def numbers(dtype: str) -> np.ndarray:
    return (np.random.default_rng(0).random((7, 5)) * 100).astype(dtype)


@pytest.mark.parametrize("dtype", [*NUMBERS, ">f8", ">i4"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_an_array_of_any_numbers_comes_back(dtype, order):
    array = np.asarray(numbers(dtype), order=order)
    table = read(npy_bytes(array)).table
    np.testing.assert_array_equal(table.to_numpy(), array)
    assert {dtype.str for dtype in table.dtypes} == {np.dtype(dtype).newbyteorder("=").str}


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("compressed", [True, False])
def test_a_matrix_of_any_numbers_comes_back(dtype, compressed):
    matrix = numbers(dtype)
    raw = mat_bytes(compressed, A=matrix, s="text", c=np.array([[1, "x"]], object), r={"f": 1.0})
    table = read(raw).table
    np.testing.assert_array_equal(table.to_numpy(), matrix)
    assert {str(dtype) for dtype in table.dtypes} == {str(np.dtype(dtype))}


@pytest.mark.parametrize("compressed", [True, False])
def test_a_sparse_matrix_comes_back(compressed):
    matrix = sparse.random(40, 30, 0.1, format="csc", random_state=1)
    table = read(mat_bytes(compressed, S=matrix)).table
    np.testing.assert_array_equal(table.to_numpy(), matrix.toarray())


@pytest.mark.parametrize("write", [lambda a: npy_bytes(a), lambda a: npz_bytes(A=a),
                                   lambda a: mat_bytes(A=a)])  # fmt: skip
def test_further_axes_become_columns(write):
    array = np.random.default_rng(1).random((4, 3, 2))
    found = read_with_notes(write(array))
    np.testing.assert_array_equal(found.dataset.table.to_numpy(), array.reshape(4, 6))
    assert any("(4, 3, 2)" in note for note in found.notes)


def test_a_vector_is_one_column():
    assert read(npy_bytes(np.arange(4))).table.shape == (4, 1)


def test_records_become_columns():
    array = np.array([(1, 2.5, "a"), (2, 3.5, "b")], dtype=[("i", "i4"), ("f", "f8"), ("s", "U2")])
    table = read(npy_bytes(array)).table
    assert list(table.columns) == ["i", "f", "s"]
    assert table["s"].tolist() == ["a", "b"]
    assert table["f"].tolist() == [2.5, 3.5]


def test_half_precision_is_widened():
    table = read(npy_bytes(numbers("f2"))).table
    assert str(table.dtypes.iloc[0]) == "float32"


@pytest.mark.parametrize("write", [npz_bytes, mat_bytes])
def test_the_largest_array_is_read_or_the_one_named(write):
    raw = write(small=np.ones((2, 2)), large=MATRIX, y=LABELS)
    sniffed = sniff(raw)
    assert sniffed.options.variable == "large"
    assert set(sniffed.variables) == {"small", "large", "y"}
    assert read(raw, ReadOptions(variable="small")).table.shape == (2, 2)
    with pytest.raises(DataError, match="variable must be an array of the file"):
        read(raw, ReadOptions(variable="absent"))


@pytest.mark.parametrize("write", [npz_bytes, mat_bytes])
def test_a_vector_of_another_length_is_no_target(write):
    found = read(write(X=MATRIX, y=np.arange(5)))
    assert found.n_features == MATRIX.shape[1]


@pytest.mark.parametrize(
    ("array", "sentence"),
    [
        (np.array(3.0), "single value"),
        (np.zeros((0, 3)), "nothing in it"),
        (np.zeros((3, 0)), "nothing in it"),
        (np.zeros((2, 2), complex), "complex128, which make no column"),
    ],
)
def test_an_array_that_is_no_table_is_refused(array, sentence):
    with pytest.raises(DataError, match=sentence):
        read(npy_bytes(array))


def test_a_complex_matrix_is_refused():
    with pytest.raises(DataError, match="complex"):
        read(mat_bytes(A=np.ones((2, 2)) * 1j))


def test_a_file_without_numbers_is_refused():
    with pytest.raises(DataError, match="no array"):
        read(mat_bytes(s="text"))
    with pytest.raises(DataError, match="No array of the file is numbers"):
        read(npz_bytes(s=np.array(["a", "b"])))


def test_limits_are_checked_before_an_array_is_made():
    with pytest.raises(DataError, match="max_cells"):
        read(npy_bytes(np.zeros((100, 100))), ReadOptions(max_cells=9999))
    with pytest.raises(DataError, match="max_columns"):
        read(mat_bytes(A=np.zeros((2, 100))), ReadOptions(max_columns=99))
