"""Questions to an OpenML server through the `openml` package.

The package has no time-outs, keeps its settings in module globals and stores pickles. It is
therefore given, one thread at a time, the address of the server, no key, a folder that is thrown
away, and a `requests` whose sessions are bounded; then it is given back as it was.
"""

import logging
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, TypeVar

from mecuco_core.datasets.openml import transport
from mecuco_core.datasets.openml.errors import NotOnServerError, ServerError
from mecuco_core.datasets.openml.settings import Settings
from mecuco_core.errors import DataError, MissingPackageError

Answer = TypeVar("Answer")
_LOCK = threading.Lock()


def list_datasets(settings: Settings, **filters: object) -> list[dict[str, Any]]:
    """Return the datasets that pass the filters of `openml.datasets.list_datasets`."""
    lines: list[dict[str, Any]] = _ask(
        settings,
        lambda openml: openml.datasets.list_datasets(output_format="dataframe", **filters).to_dict(
            "records"
        ),
    )
    return lines


def dataset_description(settings: Settings, dataset_id: int) -> Any:
    """Return the `openml.OpenMLDataset` of an id, with nothing but its description."""
    return _ask(
        settings,
        lambda openml: openml.datasets.get_dataset(
            dataset_id,
            download_data=False,
            download_qualities=False,
            download_features_meta_data=False,
        ),
    )


def _ask(settings: Settings, question: Callable[[Any], Answer]) -> Answer:
    """Put a question to the client; whatever goes wrong becomes one sentence."""
    openml = _openml()

    def answer() -> Answer:
        with _configured(openml, settings):
            return question(openml)

    try:
        return transport.within(settings.patience + transport.MARGIN, answer)
    except openml.exceptions.OpenMLServerNoResult as error:
        raise NotOnServerError(f"{settings.host} has no such dataset") from error
    except openml.exceptions.OpenMLPrivateDatasetError as error:
        raise NotOnServerError(f"{settings.host} keeps this dataset private") from error
    except openml.exceptions.OpenMLServerException as error:
        reason = error.message.removesuffix(" - None")  # the client adds it
        raise ServerError(f"{settings.host} answered {reason!r}: try again later") from error
    except Exception as error:
        # The client meets a broken answer with whatever its parser trips over (KeyError,
        # ExpatError, AssertionError, ...): there is no shorter list to catch.
        raise transport.fault(error, settings.host, settings.patience) from error


def _openml() -> Any:
    try:
        import openml
        import openml._api_calls
    except ImportError as error:
        raise MissingPackageError(
            "OpenML needs the package 'openml': install it with pip install 'mecuco[data]'"
        ) from error
    except OSError as error:  # it makes folders when it is imported
        raise DataError(f"the package 'openml' cannot start: {error}") from error
    return openml


def _parsed(
    parse: Callable[..., Any], text: str, force_list: str | tuple[str, ...] = (), **options: Any
) -> Any:
    """Parse an answer; one quality is a list too, which the client takes for granted."""
    lists = (force_list,) if isinstance(force_list, str) else force_list
    return parse(text, force_list=(*lists, "oml:quality"), **options)


@contextmanager
def _configured(openml: Any, settings: Settings) -> Iterator[None]:
    """Lend the client our settings, one thread at a time, and give it back as it was."""
    if not _LOCK.acquire(timeout=settings.patience):
        raise TimeoutError
    # It logs with the functions of the root logger, which add a handler where there is none.
    root, silence = logging.getLogger(), logging.NullHandler()
    root.addHandler(silence)
    functions = openml.datasets.functions
    parse = functions.xmltodict.parse
    try:
        with (
            tempfile.TemporaryDirectory(prefix="mecuco-") as folder,
            _replaced(
                openml.config,
                apikey="",
                connection_n_retries=1,
                server=settings.server,
                show_progress=False,
                _root_cache_directory=Path(folder),
            ),
            _replaced(openml._api_calls, requests=transport.bounded_requests(settings)),
            _replaced(functions, xmltodict=SimpleNamespace(parse=partial(_parsed, parse))),
        ):
            yield
    finally:
        root.removeHandler(silence)
        _LOCK.release()


@contextmanager
def _replaced(module: ModuleType, **values: object) -> Iterator[None]:
    before = {name: getattr(module, name) for name in values}
    vars(module).update(values)
    try:
        yield
    finally:
        vars(module).update(before)
