"""The import rules of the house, as a test."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = ("app.py", "pages")
PACKAGES_OF_OURS = ("mecuco_core", "mecuco_app")
TOPS = {
    "mecuco_core": {"__init__", "__main__", "errors", "types", "validation"},
    "mecuco_app": {"__init__", "launch"},
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


def nodes(*folders):
    """Return every node of every file, with the path it is in."""
    for folder in folders:
        for path in files(folder):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            yield from ((path, node) for node in ast.walk(tree))


def test_the_contracts_between_rooms_hold():
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert " 0 broken" in done.stdout


@pytest.mark.parametrize("folder", SCRIPTS)
def test_scripts_draw_and_compute_nothing_themselves(folder):
    for path in files(folder):
        found = imported_packages(path) - set(sys.stdlib_module_names)
        assert found <= {"streamlit", "mecuco_app", "mecuco_core"}, path.name


def test_no_page_is_longer_than_eighty_lines():
    for path in [*files("app.py"), *files("pages")]:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 80, path.name


def test_a_room_has_at_most_twelve_modules():
    rooms = [path.parent for folder in PACKAGES_OF_OURS for path in (ROOT / folder).rglob("*.py")]
    for room in set(rooms):
        modules = [path.name for path in room.glob("*.py") if path.name != "__init__.py"]
        assert len(modules) <= 12, (room.relative_to(ROOT), sorted(modules))


@pytest.mark.parametrize("package", TOPS)
def test_at_the_top_of_a_package_stand_rooms_and_little_else(package):
    assert {path.stem for path in (ROOT / package).glob("*.py")} == TOPS[package]


def test_private_names_stay_where_they_are():
    for path, node in nodes("mecuco", *PACKAGES_OF_OURS, *SCRIPTS, "docs", "benchmarks"):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGES_OF_OURS):
            for alias in node.names:
                is_private = alias.name.startswith("_") and not alias.name.endswith("__")
                assert not is_private, f"{path.relative_to(ROOT)}: {alias.name}"


def test_private_names_of_modules_are_not_reached_for():
    folders = ("mecuco", *PACKAGES_OF_OURS, *SCRIPTS, "docs", "benchmarks")
    for path in [path for folder in folders for path in files(folder)]:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        modules = {
            alias.asname or alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGES_OF_OURS)
            for alias in node.names
            if is_module(node.module, alias.name)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                is_private = node.attr.startswith("_") and not node.attr.endswith("__")
                assert not (is_private and node.value.id in modules), ast.unparse(node)


def is_module(package, name):
    place = ROOT.joinpath(*package.split("."), name)
    return place.is_dir() or place.with_suffix(".py").is_file()


BROWSER = ROOT / "mecuco_app" / "screen" / "browser"
CONNECTION = ROOT / "mecuco_app" / "screen" / "connection"
REPORT = ROOT / "mecuco_app" / "takeaway" / "report.py"
"""The report is a page of its own, which no Streamlit shows: it has its style with it."""


def test_scripts_and_styles_of_pages_are_in_one_room():
    markup = re.compile(r"<script|<style|\bjs=|\bcss=|st\.html\(|unsafe_allow|components\.v[12]")
    outside = [*files("mecuco_app"), *files("app.py"), *files("pages")]
    assert any(markup.search(path.read_text(encoding="utf-8")) for path in BROWSER.iterdir()
               if path.suffix == ".py")  # fmt: skip
    for path in outside:
        if BROWSER not in path.parents and path != REPORT:
            assert not markup.search(path.read_text(encoding="utf-8")), path.relative_to(ROOT)


def test_the_insides_of_streamlit_are_known_in_two_rooms():
    for path, node in nodes("mecuco_app", *SCRIPTS):
        if {BROWSER, CONNECTION} & {*path.parents} or path.name == "launch.py":
            continue
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("streamlit"):
            # The second is the type of what st.container() returns.
            assert node.module == "streamlit.delta_generator", path.relative_to(ROOT)


@pytest.mark.parametrize(
    "path",
    sorted([*BROWSER.glob("[a-z]*.py"), *CONNECTION.glob("[a-z]*.py")]),
    ids=lambda path: path.stem,
)
def test_every_hack_says_for_which_version_it_is_and_what_will_replace_it(path):
    said = " ".join((ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").split())
    assert re.search(r"\bStreamlit( \d|\b)", said), path.name
    assert re.search(r"\b(goes|go) when\b", said), path.name
    tests = re.findall(r"tests/\w+/\w+\.py", said)
    assert tests, path.name
    assert all((ROOT / test).is_file() for test in tests), path.name


def test_tasks_are_made_by_one_helper():
    for path, node in nodes("mecuco_app", *SCRIPTS):
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "Task":
            assert path.name == "making.py", f"{path.relative_to(ROOT)}: {node.lineno}"


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
    # points would not always have the same bits. Nor may such a function be so small that it is
    # compiled into its callers (see kernels/linalg/least_squares.py): these three are not.
    found = list(fast_functions())
    assert len(found) == 3
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
    "llvmlite": "numba",
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
