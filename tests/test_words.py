"""Names are in the words of the glossary."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ADDRESSES = {"9_Gauge"}
"""Pages whose file keeps its name: links hold it."""

NOT_OURS = {
    "ahead", "apart", "evidence", "gauge", "keeping", "leaning", "lent", "placed", "placing",
    "portrait", "presence", "sight", "slip", "slips", "staleness", "surgery", "survival",
    "survivors", "told",
}  # fmt: skip
"""Words that say less than the glossary's."""


def words_of(name):
    """Return the words of a name, of `snake_case` and `CamelCase` alike."""
    return {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}


def names(folder):
    """Return the names of the modules, functions and classes of a folder, with their places."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        place = path.relative_to(ROOT)
        for part in place.with_suffix("").parts:
            yield part, place
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                yield node.name, place


@pytest.mark.parametrize("folder", ["mecuco", "mecuco_core", "mecuco_app", "pages"])
def test_names_of_modules_functions_and_classes_are_words_of_the_field(folder):
    found = {
        f"{place}: {name}"
        for name, place in names(folder)
        if name not in ADDRESSES and words_of(name) & NOT_OURS
    }
    assert not found


def test_a_name_is_split_into_its_words():
    assert words_of("_told_of_HTTPSight2") == {"told", "of", "http", "sight"}
