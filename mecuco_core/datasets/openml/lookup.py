"""From a name or an id to the description of one dataset."""

import math
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from mecuco_core.datasets.openml import client, transport
from mecuco_core.datasets.openml.description import Description, Notify
from mecuco_core.datasets.openml.errors import NotOnServerError, ServerError
from mecuco_core.datasets.openml.reference import Reference, parse_reference
from mecuco_core.datasets.openml.settings import Settings, current_settings
from mecuco_core.datasets.openml.store import Entry, Store
from mecuco_core.errors import DataError


def describe_openml(
    id_or_name: int | str,
    version: int | None = None,
    *,
    notify: Notify | None = None,
    offline: bool = False,
) -> Description:
    """Tell what a dataset is, with nothing downloaded but a page of text.

    Parameters
    ----------
    id_or_name : int or str
        61, "iris" or "iris@1".
    version : int or None
        Another way to write the part after "@". A name without version means the oldest active
        one.
    notify : callable or None
        Called with each sentence the person should read.
    offline : bool
        Ask the cache only.

    Returns
    -------
    Description

    See Also
    --------
    load_openml : The dataset itself.
    search_openml : Which there are.

    Examples
    --------
    >>> import mecuco as mc
    >>> print(mc.datasets.describe_openml(61))
    iris@1 (OpenML 61)
    """
    settings, notify = current_settings(), notify or ignored
    reference = parse_reference(id_or_name, version)
    entry = Store(settings).find(reference)
    if offline:
        if entry is None:
            raise not_stored(reference)
        description = entry.description
    else:
        try:
            found = look_up(settings, reference, notify)
            description = replace(found, n_bytes=transport.content_length(settings, found.url))
        except ServerError as fault:
            if entry is None:
                raise
            notify(fallback(fault, entry))
            description = entry.description
    notify_of_status(description, notify)
    return description


def look_up(settings: Settings, reference: Reference, notify: Notify) -> Description:
    """Ask the server for the description of one dataset."""
    try:
        row = _listed(settings, reference, notify)
        dataset_id = row.get("did", reference.id)
        if dataset_id is None:
            raise NotOnServerError(f"{settings.host} has no such dataset")
        answer = client.dataset_description(settings, int(dataset_id))
    except NotOnServerError as error:
        raise NotOnServerError(f"{error}: {reference}; search for another") from error
    description = _description(settings, answer, row)
    if reference.version not in (None, description.version):
        raise NotOnServerError(
            f"OpenML {description.id} is version {description.version} of {description.name}, "
            f"not {reference.version}: leave the version out"
        )
    return description


def notify_of_status(description: Description, notify: Notify) -> None:
    """Tell the person when OpenML has withdrawn a dataset, or not released it yet."""
    if description.status not in ("active", "unknown"):
        notify(f"{description} is not active on OpenML (status: {description.status})")


def ignored(sentence: str) -> None:
    """Ignore a notification."""


def fallback(fault: ServerError, entry: Entry) -> str:
    """Return the sentence that says why a stored copy is used."""
    return f"{fault}; the copy of {entry.description} stored on {entry.day} is used"


def not_stored(reference: Reference) -> DataError:
    """Return the error for what was asked offline and is not in the cache."""
    return DataError(f"{reference} is not stored on this computer: load it while online")


def _listed(settings: Settings, reference: Reference, notify: Notify) -> dict[str, Any]:
    """Return the server's listing of the dataset meant, empty when it lists none."""
    if reference.id is not None:
        listed = client.list_datasets(settings, data_id=[reference.id], status="all")
    else:
        # The client puts the name into the path of the address as it is.
        name = quote(str(reference.name), safe="")
        listed = client.list_datasets(
            settings, data_name=name, data_version=reference.version, status="all"
        )
    if not reference.exact:
        active = [line for line in listed if line["status"] == "active"]
        if len(active) > 1:
            notify(
                f"OpenML has {len(active)} active versions of {reference.name}: version "
                f"{min(active, key=_upload)['version']} is used, the oldest; write "
                f"{reference.name}@VERSION for another"
            )
        listed = active or listed
    return min(listed, key=_upload, default={})


def _upload(line: dict[str, Any]) -> int:
    return int(line["did"])  # ids are given in the order of upload


def _description(settings: Settings, answer: Any, row: dict[str, Any]) -> Description:
    return Description(
        id=int(answer.dataset_id),
        name=str(answer.name),
        version=int(answer.version),
        status=str(row.get("status", "unknown")),
        format=str(answer.format),
        url=str(answer.url),
        parquet_url=_text(answer._parquet_url),
        page=f"{settings.site}/d/{answer.dataset_id}",
        md5=_text(answer.md5_checksum),
        licence=_text(answer.licence),
        citation=_text(answer.citation),
        text=_text(answer.description),
        n_rows=count(row.get("NumberOfInstances")),
        n_columns=count(row.get("NumberOfFeatures")),
        n_classes=count(row.get("NumberOfClasses")) or None,
        n_missing=count(row.get("NumberOfMissingValues")),
        targets=_names(answer.default_target_attribute),
        left_out=(*_names(answer.row_id_attribute), *_names(answer.ignore_attribute)),
    )


def count(value: object) -> int | None:
    """Return a number of things as OpenML lists it, or None when it is not one."""
    if not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        return None
    return int(value)


def _text(value: object) -> str | None:
    return None if value is None else str(value).strip() or None


def _names(value: object) -> tuple[str, ...]:
    listed = value if isinstance(value, list) else [value]
    return tuple(text for text in map(_text, listed) if text is not None)
