"""Which column is guessed to be the label, and which is not."""

import numpy as np
import pandas as pd
import pytest

from mecuco_core.datasets.files import read_with_notes, sniff
from mecuco_core.datasets.labels import likely_label

N = 60
G = np.random.default_rng(0)
X, Y = G.normal(size=N), G.normal(size=N)
WORDS = np.array(["a", "b", "c"] * 20)
BITS = np.array([0, 1] * 30)


GUESSED = {
    "a name at the end": ({"x": X, "z": Y, "class": X}, "class"),
    "a name at the start": ({"Species": WORDS, "x": X, "z": Y}, "Species"),
    "a name of classes in the middle": ({"id": BITS, "segment": WORDS, "city": WORDS}, "segment"),
    "churn of 0 and 1": ({"x": X, "churn": BITS, "z": Y}, "churn"),
    "customer segment": ({"x": X, "customer_segment": WORDS, "w": WORDS}, "customer_segment"),
    "type at the end": ({"x": X, "w": WORDS, "z": Y, "type": WORDS}, "type"),
    "words beside numbers": ({"x": X, "z": Y, "grower": WORDS}, "grower"),
    "type in the middle": ({"x": X, "type": WORDS, "w": WORDS, "z": Y}, None),
    "words in the middle": ({"x": X, "grower": WORDS, "z": Y}, None),
    "two that may be": ({"segment": WORDS, "x": X, "diagnosis": WORDS}, None),
    "a real outcome": ({"x": X, "z": Y, "outcome": X}, None),
    "sex beside numbers": ({"sex": WORDS, "x": X, "z": Y}, None),
    "names of rows": ({"x": X, "z": Y, "name": [f"n{i}" for i in range(N)]}, None),
    "numbers alone": ({"x": X, "z": Y, "w": BITS}, None),
    "one word": ({"x": X, "z": Y, "kind": ["a"] * N}, None),
    "a coordinate": ({"x": X, "y": Y}, None),
}  # fmt: skip


@pytest.mark.parametrize(("columns", "expected"), GUESSED.values(), ids=GUESSED)
def test_the_label_is_guessed_by_name_and_value_and_not_in_doubt(columns, expected):
    assert likely_label(pd.DataFrame(columns)) == expected


def test_a_look_and_a_reading_find_the_same_label():
    rows = [f"{i},{i * i % 97},{'abcdefghij'[i % 10]}\n" for i in range(400)]
    file = ("x,z,kind\n" + "".join(rows)).encode()
    assert sniff(file).suggested_target == "kind"
    assert len(sniff(file).preview) == 20
    assert read_with_notes(file, find_target=True).options.target == "kind"
