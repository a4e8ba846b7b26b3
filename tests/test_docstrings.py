"""Docstrings of every public name: complete, and their examples true."""

import doctest
import inspect
import re

import pytest

import mecuco as mc
from tests.openml_server import OpenMLServer, iris

PUBLIC = {
    f"{module.__name__}.{name}": getattr(module, name)
    for module in (mc, mc.datasets)
    for name in module.__all__
    if name not in ("__version__", "datasets")
}
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


@pytest.fixture(scope="module")
def openml(tmp_path_factory):
    """A server with the dataset of the examples, instead of the real one."""
    with pytest.MonkeyPatch.context() as patch, OpenMLServer(iris()) as running:
        patch.setenv("MECUCO_OPENML_SERVER", running.address)
        patch.setenv("MECUCO_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield running


def sections(thing):
    """Return the headings of a numpydoc docstring."""
    return re.findall(r"^(\w[\w ]*)\n-{3,}$", inspect.getdoc(thing) or "", flags=re.MULTILINE)


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_has_an_example_and_see_also(name):
    found = sections(PUBLIC[name])
    assert {"Examples", "See Also"} <= set(found)
    assert found.index("See Also") < found.index("Examples") == len(found) - 1


@pytest.mark.parametrize("name", [name for name in PUBLIC if inspect.isfunction(PUBLIC[name])])
def test_every_parameter_is_told_and_what_comes_back(name):
    text = inspect.getdoc(PUBLIC[name])
    told = text.split("Parameters\n")[1].split("\n\n")[0] if "Parameters\n" in text else ""
    entries = re.findall(r"^([\w*][\w*, ]*?)(?: : .*)?$", told, flags=re.MULTILINE)
    named = {one.strip(" *") for entry in entries for one in entry.split(",")}
    assert set(inspect.signature(PUBLIC[name]).parameters) <= named
    assert "Returns" in sections(PUBLIC[name]) or name.endswith("warm_up")


def test_what_is_referred_to_is_public():
    for name, thing in PUBLIC.items():
        part = inspect.getdoc(thing).split("See Also\n--------\n")[1].split("\n\n")[0]
        for line in part.splitlines():
            for one in line.partition(" : ")[0].split(","):
                assert any(known.endswith(f".{one.strip()}") for known in PUBLIC), (name, one)


@pytest.mark.parametrize("name", PUBLIC)
def test_the_examples_are_true(name, openml, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    finder = doctest.DocTestFinder(recurse=True)
    thing = PUBLIC[name]
    tests = finder.find(thing, name, module=inspect.getmodule(thing), globs={})
    told = []
    tried = 0
    for one in tests:
        runner = doctest.DocTestRunner(optionflags=FLAGS)
        runner.run(one, out=told.append)
        tried += runner.tries
    assert tried > 0
    assert not told, "".join(told)


@pytest.mark.parametrize("module", [mc, mc.datasets], ids=lambda module: module.__name__)
def test_the_examples_of_the_door_are_true(module):
    found = doctest.testmod(module, optionflags=FLAGS)
    assert (found.attempted > 0, found.failed) == (True, 0)
