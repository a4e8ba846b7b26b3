"""The import rules of the house, as a test."""

import ast
import re
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FORBIDDEN = {
    "mecuco_core": {"streamlit", "plotly", "umap", "mecuco_app"},
    "mecuco_core/kernels": {"scipy", "sklearn", "pandas"},
    "mecuco_app/plots": {"streamlit", "sklearn"},
    "pages": {"plotly", "sklearn", "scipy"},
    "app.py": {"plotly", "sklearn", "scipy"},
}


def files(folder):
    path = ROOT / folder
    return [path] if path.is_file() else sorted(path.rglob("*.py"))


def imported_packages(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return set().union(*(imported_packages_of(node) for node in ast.walk(tree)))


def imported_packages_of(node):
    if isinstance(node, ast.Import):
        return {alias.name.split(".")[0] for alias in node.names}
    if isinstance(node, ast.ImportFrom) and node.module:
        return {node.module.split(".")[0]}
    return set()


@pytest.mark.parametrize("folder", FORBIDDEN)
def test_folder_imports_nothing_forbidden(folder):
    for path in files(folder):
        assert not imported_packages(path) & FORBIDDEN[folder], path.relative_to(ROOT)


def test_no_page_is_longer_than_eighty_lines():
    for path in [*files("app.py"), *files("pages")]:
        if path.exists():
            assert len(path.read_text(encoding="utf-8").splitlines()) <= 80, path.name


def fast_functions():
    """Return the compiled functions in which sums may be taken in any order."""
    for path in files("mecuco_core/kernels"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and any(
                "fastmath" in ast.unparse(decorator) for decorator in node.decorator_list
            ):
                yield node


def test_where_sums_have_no_order_nothing_is_written():
    # Such a loop is compiled twice, and which of the two runs depends on addresses: the same
    # points would not always have the same bits.
    found = list(fast_functions())
    assert len(found) >= 5
    for function in found:
        for node in ast.walk(function):
            targets = node.targets if isinstance(node, ast.Assign) else []
            targets = [node.target] if isinstance(node, ast.AugAssign) else targets
            assert not any(isinstance(target, ast.Subscript) for target in targets), function.name


PACKAGES = {
    "sklearn": "scikit-learn",
    "umap": "umap-learn",
    "PIL": "pillow",
    "charset_normalizer": "charset-normalizer",
    "python_calamine": "python-calamine",
    "requests": "openml",
    "pynndescent": "umap-learn",
}
"""Where an import has another name than its package, or is brought by one that needs it too."""


def declared():
    """Return the direct dependencies: of the engine alone, and with every extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [one for extra in project["optional-dependencies"].values() for one in extra]
    named = [
        {re.match(r"[\w.-]+", one)[0].lower() for one in lines} - {"mecuco"}
        for lines in (project["dependencies"], project["dependencies"] + extras)
    ]
    return named[0], named[1]


def third_party(*folders):
    own = {"mecuco", "mecuco_core", "mecuco_app", "tests"}
    found = set().union(*(imported_packages(path) for folder in folders for path in files(folder)))
    return {PACKAGES.get(name, name) for name in found - own - set(sys.stdlib_module_names)}


def test_every_import_is_declared_and_every_dependency_is_used():
    engine, everything = declared()
    imported = third_party("mecuco_core", "mecuco_app", "pages", "app.py")
    assert imported <= everything
    assert everything <= imported
    optional = everything - engine
    # The engine imports the others only where they are asked for, inside functions.
    for path in files("mecuco_core"):
        if "openml" in path.parts or "cluster" in path.parts or path.name == "columnar.py":
            continue
        module = ast.parse(path.read_text(encoding="utf-8"))
        for node in module.body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = imported_packages_of(node)
                assert not {PACKAGES.get(name, name) for name in names} & optional, path.name


def test_installs_are_pinned_to_one_version_each():
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = [line for line in lines if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[\w.-]+==[\w.!+]+", line) for line in pinned)
    names = [line.partition("==")[0].lower().replace("_", "-") for line in pinned]
    assert len(set(names)) == len(names)
    assert declared()[1] <= set(names)
