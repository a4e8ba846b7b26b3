"""Names of a package that are loaded when they are first used (PEP 562)."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def on_first_use(
    package: str, homes: Mapping[str, tuple[str, ...]], modules: tuple[str, ...] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a package whose names live elsewhere.

    Parameters
    ----------
    package : str
        Its `__name__`.
    homes : dict of str to tuple of str
        The names that each module gives.
    modules : tuple of str
        Modules of the package itself.

    Returns
    -------
    callable, callable
    """
    home = {name: module for module, names in homes.items() for name in names}

    def __getattr__(name: str) -> Any:  # noqa: N807 - what Python calls
        if name in modules:
            return import_module(f"{package}.{name}")
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(home[name]), name)
        setattr(sys.modules[package], name, value)  # from now on found without us
        return value

    def __dir__() -> list[str]:  # noqa: N807 - what Python calls
        return sorted({*vars(sys.modules[package]), *home, *modules})

    return __getattr__, __dir__
