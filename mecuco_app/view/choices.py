"""A choice of the visitor is one field: its default, its name in the address, and the two ways."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

_PARAMETER = "parameter"


@dataclass(frozen=True)
class Parameter:
    """One parameter of the address: its name, the choice it holds, and the two ways."""

    name: str
    path: str
    decode: Callable[[str], Any]
    encode: Callable[[Any], str] = str


def choice(
    default: Any, name: str, decode: Callable[[str], Any], encode: Callable[[Any], str] = str
) -> Any:
    """Return the field of a choice.

    Parameters
    ----------
    default : object
    name : str
        In the address.
    decode : callable
        Returns the value of a text, or raises ValueError.
    encode : callable
        Returns the text of a value.
    """
    return field(default=default, metadata={_PARAMETER: (name, decode, encode)})


def parameters(view: Any) -> tuple[Parameter, ...]:
    """Return the parameters of all choices of a view, in order."""
    return tuple(_found(view, ""))


def _found(part: Any, before: str) -> Iterator[Parameter]:
    for one in fields(part):
        path, value = f"{before}{one.name}", getattr(part, one.name)
        if _PARAMETER in one.metadata:
            name, decode, encode = one.metadata[_PARAMETER]
            yield Parameter(name, path, decode, encode)
        elif not before and is_dataclass(value):
            yield from _found(value, f"{path}.")
