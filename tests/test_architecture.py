"""The import rules of the house, as a test."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FORBIDDEN = {
    "mecuco_core": {"streamlit", "plotly", "umap", "mecuco_app"},
    "mecuco_core/_kernels": {"scipy", "sklearn", "pandas"},
    "mecuco_app/plots": {"streamlit", "sklearn"},
    "pages": {"plotly", "sklearn", "scipy"},
    "app.py": {"plotly", "sklearn", "scipy"},
}


def files(folder):
    path = ROOT / folder
    return [path] if path.is_file() else sorted(path.rglob("*.py"))


def imported_packages(path):
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.split(".")[0])
    return names


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
    for path in files("mecuco_core/_kernels"):
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
