"""Look at the built site: no dead link, nothing fetched from elsewhere, every public name there.

`python -m docs.builder.check site` prints what is wrong, one line each.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from docs.builder.reference import PublicName, public_names

FETCHED = {
    ("link", "href"),
    ("script", "src"),
    ("img", "src"),
    ("img", "srcset"),
    ("source", "src"),
    ("source", "srcset"),
    ("iframe", "src"),
    ("object", "data"),
    ("embed", "src"),
    ("video", "src"),
    ("audio", "src"),
}
"""Where a browser fetches an address without being asked."""
IN_STYLE = re.compile(r"(?:url\(|@import)\s*['\"]?\s*((?:https?:)?//[^'\")\s;]+)")


@dataclass
class Page:
    """What a page holds and where it leads."""

    anchors: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    fetched: list[str] = field(default_factory=list)
    examples: set[str] = field(default_factory=set)


class _Reader(HTMLParser):
    """Collects anchors, links and what is fetched; and which names have an example."""

    def __init__(self) -> None:
        super().__init__()
        self.page = Page()
        self.name = ""
        self.style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {key: value or "" for key, value in attrs}
        anchor = attributes.get("id")
        if anchor:
            self.page.anchors.add(anchor)
        if tag == "dt" and anchor:
            self.name = anchor
        if "doctest" in attributes.get("class", ""):
            self.page.examples.add(self.name)
        if tag == "a" and attributes.get("href"):
            self.page.links.append(attributes["href"])
        self.page.fetched += [
            attributes[key] for at, key in FETCHED if at == tag and key in attributes
        ]
        self.page.fetched += IN_STYLE.findall(attributes.get("style", ""))
        self.style = tag == "style"

    def handle_data(self, data: str) -> None:
        if self.style:
            self.page.fetched += IN_STYLE.findall(data)


def read_site(folder: Path) -> dict[Path, Page]:
    """Return every page of a site by its path."""
    pages = {}
    for path in sorted(folder.rglob("*.html")):
        reader = _Reader()
        reader.feed(path.read_text("utf-8"))
        pages[path] = reader.page
    return pages


def dead_links(folder: Path, pages: dict[Path, Page]) -> Iterator[str]:
    """Yield links and pictures that lead nowhere within the site."""
    for path, page in pages.items():
        for address in [*page.links, *page.fetched]:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            where = f"{path.relative_to(folder)}: {address}"
            if not target.is_relative_to(folder) or not target.is_file():
                yield f"{where} leads nowhere"
            elif parts.fragment and unquote(parts.fragment) not in pages[target].anchors:
                yield f"{where} has no such anchor"


def foreign_requests(folder: Path, pages: dict[Path, Page]) -> Iterator[str]:
    """Yield what a browser would fetch from another host."""
    for path, page in pages.items():
        for address in page.fetched:
            parts = urlsplit(address)
            if parts.netloc or parts.scheme in ("http", "https"):
                yield f"{path.relative_to(folder)}: fetches {address}"
    for path in sorted(folder.rglob("*.css")):
        for address in IN_STYLE.findall(path.read_text("utf-8")):
            yield f"{path.relative_to(folder)}: fetches {address}"


def missing_names(pages: dict[Path, Page], names: Iterable[PublicName]) -> Iterator[str]:
    """Yield public names without a place on the site, or without an example there."""
    anchors = set().union(*(page.anchors for page in pages.values()))
    examples = set().union(*(page.examples for page in pages.values()))
    for one in names:
        if one.path not in anchors:
            yield f"{one.path} is not in the reference"
        elif one.kind in ("function", "class") and one.path not in examples:
            yield f"{one.path} has no example"


def faults(folder: Path) -> list[str]:
    """Return all that is wrong with a site."""
    folder = folder.resolve()
    pages = read_site(folder)
    return [
        *dead_links(folder, pages),
        *foreign_requests(folder, pages),
        *missing_names(pages, public_names()),
    ]


if __name__ == "__main__":
    found = faults(Path(sys.argv[1]))
    print("\n".join(found), file=sys.stderr)
    sys.exit(bool(found))
