"""Search of OpenML by words and size.

OpenML has no search by words: all its datasets are listed once, kept on disk with the date, and
searched here.
"""

from dataclasses import astuple, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from mecuco_core.datasets.openml import client
from mecuco_core.datasets.openml.description import Notify
from mecuco_core.datasets.openml.errors import ServerError
from mecuco_core.datasets.openml.lookup import count, ignored
from mecuco_core.datasets.openml.settings import Settings, current_settings
from mecuco_core.datasets.openml.store import FORMAT, Store, read_json, write_json
from mecuco_core.errors import DataError

FRESH = timedelta(days=7)
PAGE = 1_000  # datasets in one answer: the server takes seconds for all of them at once
MOST_PAGES = 200  # a server that lists on and on is not followed for ever

Range = tuple[int | None, int | None]


@dataclass(frozen=True)
class Listing:
    """One line of OpenML's list of datasets.

    Attributes
    ----------
    n_rows, n_features, n_classes, n_missing : int or None
        As OpenML counts them: its features include the target. None where it did not count.

    See Also
    --------
    search_openml : Finds some.

    Examples
    --------
    >>> import mecuco as mc
    >>> first = mc.datasets.search_openml("iris")[0]
    >>> first.name, first.version, first.status
    ('iris', 1, 'active')
    """

    id: int
    name: str
    version: int
    n_rows: int | None
    n_features: int | None
    n_classes: int | None
    n_missing: int | None
    status: str
    format: str


def search_openml(
    words: str = "",
    *,
    n_rows: Range | None = None,
    n_features: Range | None = None,
    n_classes: Range | None = None,
    n_missing: Range | None = None,
    limit: int | None = 100,
    notify: Notify | None = None,
    offline: bool = False,
    refresh: bool = False,
) -> list[Listing]:
    """Find active datasets whose name has all the words, the best match first.

    Parameters
    ----------
    words : str
        Parts of the name, in any order and case; a number also finds the dataset of that id.
    n_rows, n_features, n_classes, n_missing : (int or None, int or None) or None
        Smallest and largest number, both included; None leaves a side open. A dataset that
        OpenML has not counted is then left out. OpenML counts the target as a feature.
    limit : int or None
        Most results to return; None for all.
    notify : callable or None
        Called with each sentence the person should read.
    offline : bool
        Search the stored list only.
    refresh : bool
        List the server again, even when the stored list is younger than a week.

    Returns
    -------
    list of Listing

    See Also
    --------
    describe_openml : More about one of them.
    load_openml : The dataset itself.

    Examples
    --------
    >>> import mecuco as mc
    >>> mc.datasets.search_openml("iris", n_features=(None, 10), limit=1)[0].id
    61
    """
    if limit is not None and limit < 1:
        raise DataError(f"limit must be 1 or more, or None, got {limit}")
    ranges = {
        "n_rows": _checked("n_rows", n_rows),
        "n_features": _checked("n_features", n_features),
        "n_classes": _checked("n_classes", n_classes),
        "n_missing": _checked("n_missing", n_missing),
    }
    notify = notify or ignored
    wanted = words.casefold().split()
    found = [
        listing
        for listing in _all(current_settings(), notify, offline=offline, refresh=refresh)
        if _has(listing, wanted)
        and all(_inside(getattr(listing, name), ends) for name, ends in ranges.items())
    ]
    found.sort(key=lambda listing: _rank(listing, wanted))
    if limit is not None and len(found) > limit:
        notify(f"{limit} of {len(found):,} matching datasets are shown: add words or limits")
    return found[:limit]


def _checked(name: str, ends: Range | None) -> Range:
    if ends is None:
        return (None, None)
    low, high = ends
    if low is not None and high is not None and low > high:
        raise DataError(f"{name} must be (smallest, largest), got {ends}")
    return ends


def _inside(value: int | None, ends: Range) -> bool:
    low, high = ends
    if low is None and high is None:
        return True
    return value is not None and (low is None or value >= low) and (high is None or value <= high)


def _has(listing: Listing, words: list[str]) -> bool:
    name = listing.name.casefold()
    return all(word in name or word == str(listing.id) for word in words)


def _rank(listing: Listing, words: list[str]) -> tuple[int, str, int]:
    name = listing.name.casefold()
    if not words:
        return (0, "", listing.id)
    if name == " ".join(words) or str(listing.id) in words:
        return (0, name, listing.id)
    return (1 if name.startswith(words[0]) else 2, name, listing.id)


def _all(settings: Settings, notify: Notify, *, offline: bool, refresh: bool) -> list[Listing]:
    """Return the stored list, or a new one when it is old; the old one when that fails."""
    path = Store(settings).folder / "listing.json"
    stored, listed_at = _stored(path)
    age = datetime.now(UTC) - listed_at
    if stored and not refresh and not offline and timedelta(0) <= age < FRESH:
        return stored
    if offline:
        if not stored:
            raise DataError("no list of OpenML is stored on this computer: search once online")
        notify(f"the list of OpenML from {listed_at:%Y-%m-%d} is searched")
        return stored
    try:
        listings = _listed(settings)
    except ServerError as fault:
        if not stored:
            raise
        notify(f"{fault}; the list of {listed_at:%Y-%m-%d} is searched")
        return stored
    write_json(
        path,
        {
            "format": FORMAT,
            "listed_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "datasets": [astuple(listing) for listing in listings],
        },
    )
    return listings


def _stored(path: Path) -> tuple[list[Listing], datetime]:
    """Return the stored list and its date; an empty one when it is not there or not whole."""
    content = read_json(path)
    try:
        if content["format"] == FORMAT:
            listings = [Listing(*fields) for fields in content["datasets"]]
            return listings, datetime.fromisoformat(content["listed_at"]).astimezone(UTC)
    except (KeyError, OverflowError, TypeError, ValueError):
        pass  # damaged, or written by another version: as good as none
    return [], datetime.min.replace(tzinfo=UTC)


def _listed(settings: Settings) -> list[Listing]:
    listings: dict[int, Listing] = {}
    for page in range(MOST_PAGES):
        answer = client.list_datasets(settings, status="active", offset=page * PAGE, size=PAGE)
        listings |= {listing.id: listing for listing in map(_line, answer)}
        if len(answer) < PAGE:
            break
    if not listings:
        raise ServerError(f"{settings.host} lists no dataset: try again later")
    return list(listings.values())


def _line(listed: dict[str, Any]) -> Listing:
    return Listing(
        id=int(listed["did"]),
        name=str(listed["name"]),
        version=int(listed["version"]),
        n_rows=count(listed.get("NumberOfInstances")),
        n_features=count(listed.get("NumberOfFeatures")),
        n_classes=count(listed.get("NumberOfClasses")) or None,
        n_missing=count(listed.get("NumberOfMissingValues")),
        status=str(listed["status"]),
        format=str(listed["format"]),
    )
