"""The check of the site sees what is wrong with one, and the reference says what the code says."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from docs.builder.check import dead_links, foreign_requests, missing_names, read_site
from docs.builder.pictures import FILE_TO_MAP, FOLDER, K_TO_FIGURES, layers, pictures
from docs.builder.reference import PublicName, as_markup, command_page, home_of, public_names

ROOT = Path(__file__).resolve().parents[1]
NAME = PublicName("mecuco", "curvature", "mecuco_core.score.curvature")
ENTRY = '<dl><dt id="mecuco.curvature">curvature()</dt><dd>{}</dd></dl>'


def site(folder, **pages):
    for name, body in pages.items():
        (folder / f"{name}.html").write_text(f"<html><body>{body}</body></html>", "utf-8")
    return folder, read_site(folder)


def test_links_that_lead_somewhere_are_no_fault(tmp_path):
    body = '<h1 id="a">A</h1><a href="b.html#b">b</a><a href="#a">a</a><a href="https://x.y">x</a>'
    folder, pages = site(tmp_path, a=body, b='<h1 id="b">B</h1><a href="a.html">a</a>')
    assert list(dead_links(folder, pages)) == []
    assert list(foreign_requests(folder, pages)) == []


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ('<a href="none.html">', "a.html: none.html leads nowhere"),
        ('<a href="b.html#none">', "a.html: b.html#none has no such anchor"),
        ('<a href="#none">', "a.html: #none has no such anchor"),
        ('<img src="none.png">', "a.html: none.png leads nowhere"),
        ('<a href="../../etc/hosts">', "a.html: ../../etc/hosts leads nowhere"),
    ],
)
def test_a_dead_link_is_seen(tmp_path, body, fault):
    folder, pages = site(tmp_path, a=body, b="")
    assert list(dead_links(folder, pages)) == [fault]


@pytest.mark.parametrize(
    "body",
    [
        '<script src="https://cdn.example/mathjax.js"></script>',
        '<link rel="stylesheet" href="//cdn.example/font.css">',
        '<img src="http://cdn.example/badge.svg">',
        "<style>@import 'https://cdn.example/font.css';</style>",
        "<p style=\"background: url('https://cdn.example/a.png')\">",
    ],
)
def test_a_request_to_another_host_is_seen(tmp_path, body):
    assert len(list(foreign_requests(*site(tmp_path, a=body)))) == 1


def test_a_style_sheet_that_fetches_from_another_host_is_seen(tmp_path):
    (tmp_path / "a.css").write_text("@font-face { src: url(https://cdn.example/a.woff2) }")
    assert len(list(foreign_requests(tmp_path, {}))) == 1


def test_a_public_name_without_a_place_is_seen(tmp_path):
    _, pages = site(tmp_path, a=ENTRY.format("").replace("curvature", "other"))
    assert list(missing_names(pages, [NAME])) == ["mecuco.curvature is not in the reference"]


def test_a_public_name_without_an_example_is_seen(tmp_path):
    _, pages = site(tmp_path, a=ENTRY.format("words"))
    assert list(missing_names(pages, [NAME])) == ["mecuco.curvature has no example"]
    _, pages = site(tmp_path, a=ENTRY.format('<div class="doctest">&gt;&gt;&gt; 1</div>'))
    assert list(missing_names(pages, [NAME])) == []


def test_names_are_found_where_they_are_defined():
    assert home_of("mecuco.datasets", "load_openml") == "mecuco_core.datasets.openml.load"
    assert NAME.room == "score"
    assert {one.name for one in public_names()} >= {"curvature", "knn_graph", "load_openml"}


def test_docstrings_become_markup():
    lines = ["With `curvature`, `k` and |H|; see docs/method.md.", ">>> a | b  # `x`"]
    assert as_markup(lines) == [
        "With :py:obj:`~mecuco.curvature`, ``k`` and \\|H\\|; see :doc:`docs/method.md </method>`.",
        ">>> a | b  # `x`",
    ]


def test_every_command_and_option_is_on_the_page_of_the_command_line():
    page = command_page()
    for words in ("mecuco score", "mecuco reproduce", "mecuco app", ".. option:: -k", "--stream"):
        assert words in page


PATHS = re.compile(
    r"(?<![\w/])(?:tests|docs|pages|benchmarks|deploy|assets|mecuco(?:_core|_app)?)/[\w./-]*\w"
)


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))], ids=lambda page: page.name
)
def test_files_and_folders_that_a_page_names_exist(page):
    text = page.read_text("utf-8")
    for path in sorted(set(PATHS.findall(text))):
        if "NAME" not in path and "NUMBER" not in path:  # where the reader's own would stand
            assert (ROOT / path).exists(), path


@pytest.mark.parametrize("name", pictures())
def test_the_pictures_are_those_of_the_house_as_it_is(name):
    assert (FOLDER / name).read_text("utf-8") == pictures()[name], "run `make docs`"


@pytest.mark.parametrize("where", sorted({where for where, _ in [*FILE_TO_MAP, *K_TO_FIGURES]}))
def test_the_steps_of_the_ways_are_there(where):
    module, name = where.split(":")
    assert hasattr(import_module(module), name)


@pytest.mark.parametrize("package", ["mecuco_core", "mecuco_app"])
def test_every_room_is_described_for_those_who_change_the_code(package):
    page = (ROOT / "docs" / "contributing.md").read_text("utf-8")
    for row in layers(package):
        for room in row:
            assert f"`{room.removeprefix(f'{package}.')}`" in page, room
