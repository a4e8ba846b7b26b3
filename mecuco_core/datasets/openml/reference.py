"""How a person names a dataset on OpenML: 61, "61", "iris", "iris@1"."""

import re
from dataclasses import dataclass

from mecuco_core.errors import DataError


@dataclass(frozen=True)
class Reference:
    """One dataset, by id or by name; without a version a name may mean several."""

    id: int | None = None
    name: str | None = None
    version: int | None = None

    @property
    def exact(self) -> bool:
        """Whether it means one dataset for ever, whatever is uploaded later."""
        return self.id is not None or self.version is not None

    def __str__(self) -> str:
        named = f"dataset {self.id}" if self.name is None else self.name
        return named if self.version is None else f"{named}@{self.version}"


def parse_reference(id_or_name: int | str, version: int | None = None) -> Reference:
    """Return the dataset meant by an id, a name, or "NAME@VERSION".

    Parameters
    ----------
    id_or_name : int or str
        A number is an id, also when it is written as text.
    version : int or None
        Another way to write the part after "@".
    """
    if isinstance(id_or_name, bool) or not isinstance(id_or_name, int | str):
        raise DataError(f"id_or_name must be a number or a name, got {id_or_name!r}")
    text = str(id_or_name).strip()
    match = re.fullmatch(r"(.+)@v?(\d+)", text)
    if match:
        if version is not None and version != int(match[2]):
            raise DataError(f"version is {version}, but {text!r} already names another: give one")
        text, version = match[1].strip(), int(match[2])
    if version is not None and (isinstance(version, bool) or version < 1):
        raise DataError(f"version must be 1 or more, got {version!r}")
    if re.fullmatch(r"-?\d+", text):
        if int(text) < 1:
            raise DataError(f"an OpenML id must be 1 or more, got {text}")
        return Reference(id=int(text), version=version)
    if not text:
        raise DataError("id_or_name is empty: give an OpenML id or a name such as 'iris'")
    return Reference(name=text, version=version)
