"""HTTP with deadlines: the only file that opens connections.

Every fault of a server, a proxy or a cable is reported within the patience of the settings and a
small margin, in one sentence.
"""

import hashlib
import io
import threading
import zlib
from collections.abc import Callable, Iterator
from time import monotonic
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from mecuco_core.datasets.openml.errors import FileRefusedError, ServerError
from mecuco_core.datasets.openml.settings import Settings
from mecuco_core.errors import DataError
from mecuco_core.runtime.wording import spoken_bytes
from mecuco_core.types import Progress

if TYPE_CHECKING:
    import requests

MARGIN = 2.0  # seconds for what socket time-outs do not cover, such as looking up the host
CONNECT = 4.0  # seconds for one address of the host
ANSWER_LIMIT = 64_000_000  # bytes of one answer; a page of 1 000 datasets has 2 million
SLOWEST = 1_000  # bytes a second; a download below this is a stalled one
PIECE = 65_536  # bytes
TICK = 0.1  # seconds between two reports of progress

Answer = TypeVar("Answer")


def download(
    settings: Settings,
    url: str,
    write: Callable[[bytes], object],
    *,
    limit: int,
    progress: Progress | None = None,
) -> str:
    """Pass the file at `url` to `write`, piece by piece, and return its MD5.

    Parameters
    ----------
    settings : Settings
    url : str
    write : callable
    limit : int
        Bytes, unpacked, after which the download is given up.
    progress : callable or None
        Called with (bytes received, bytes in all or 0 when unknown); what it raises passes
        through and stops the download.

    Raises
    ------
    FileRefusedError
        The server answered at once that it does not give the file.
    ServerError
        The server was not reached, stalled or hung up.
    """
    with _opened(settings, url) as response:
        if response.status_code != 200:
            raise FileRefusedError(
                f"{_host(url)} does not give the data file (HTTP {response.status_code}): "
                "try again later"
            )
        stated = response.headers.get("Content-Length", "")
        total = int(stated) if stated.isdigit() else 0
        if total > limit:
            raise _too_large(total, limit)
        digest = hashlib.md5(usedforsecurity=False)
        received, next_report = 0, monotonic()
        for piece, received in _pieces(response, settings.patience, limit):
            write(piece)
            digest.update(piece)
            if progress is not None and received != total and monotonic() >= next_report:
                progress(received, total)
                next_report = monotonic() + TICK
        if progress is not None:
            progress(received, total)
    return digest.hexdigest()


def content_length(settings: Settings, url: str) -> int | None:
    """Return the size of a file in bytes, or None when the server does not say."""
    import requests

    patience = min(settings.patience, CONNECT)

    def ask() -> int | None:
        response = requests.head(
            url,
            allow_redirects=True,
            headers={"Accept-Encoding": "identity"},
            timeout=patience,
        )
        stated = response.headers.get("Content-Length", "")
        return int(stated) if response.ok and stated.isdigit() else None

    try:
        return within(patience, ask)
    except (requests.RequestException, TimeoutError):
        return None  # not worth an error: the size is checked again by the download


def bounded_requests(settings: Settings) -> SimpleNamespace:
    """Return a stand-in for the module `requests` whose sessions always come to an end."""
    import requests

    class BoundedSession(requests.Session):
        def request(  # type: ignore[override]  # passes every option on
            self, method: str, url: str, **options: Any
        ) -> "requests.Response":
            deadline = monotonic() + settings.patience
            self.headers["Accept-Encoding"] = "gzip"
            options |= {"timeout": (CONNECT, settings.patience), "stream": True}
            body = bytearray()
            with super().request(method, url, **options) as response:
                for piece, _ in _pieces(response, settings.patience, ANSWER_LIMIT):
                    body += piece
                    if monotonic() > deadline:
                        raise TimeoutError
            if response.status_code != 200 and b"oml:error" not in body:
                raise ServerError(
                    f"{settings.host} is out of order (HTTP {response.status_code}): "
                    "try again later"
                )
            response.raw = io.BytesIO(body)
            # Unpacked by now, but the client complains about an answer without this header.
            response.headers["Content-Encoding"] = "gzip"
            return response

    return SimpleNamespace(**{**vars(requests), "Session": BoundedSession})


def within(seconds: float, work: Callable[[], Answer]) -> Answer:
    """Return what `work` returns, or raise TimeoutError and leave it to its own time-outs."""
    outcome: list[Answer] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(work())
        except BaseException as error:  # raised again below, in the thread that waits
            failure.append(error)

    thread = threading.Thread(target=run, daemon=True, name="openml")
    thread.start()
    thread.join(seconds)
    if failure:
        raise failure[0]
    if not outcome:
        raise TimeoutError
    return outcome[0]


def fault(error: Exception, host: str, patience: float) -> ServerError:
    """Return the sentence for what went wrong between here and the server."""
    import requests
    import urllib3

    if isinstance(error, ServerError):
        return error
    if isinstance(error, TimeoutError | requests.Timeout | urllib3.exceptions.TimeoutError):
        return ServerError(f"{host} did not answer within {patience:g} seconds: try again later")
    inner = error.args[0] if error.args else None  # requests wraps what urllib3 raised
    if isinstance(error, urllib3.exceptions.ProtocolError) or isinstance(
        inner, urllib3.exceptions.ProtocolError
    ):
        return _cut_off(host)
    if isinstance(error, requests.ConnectionError):
        return ServerError(f"{host} cannot be reached: check the network connection")
    return ServerError(f"{host} sent an answer that is not OpenML's: try again later")


def _opened(settings: Settings, url: str) -> "requests.Response":
    import requests

    def connect() -> requests.Response:
        return requests.get(
            url,
            headers={"Accept-Encoding": "gzip"},
            stream=True,
            timeout=(CONNECT, settings.patience),
        )

    try:
        return within(settings.patience + MARGIN, connect)
    except (requests.RequestException, TimeoutError) as error:
        raise fault(error, _host(url), settings.patience) from error


def _pieces(
    response: "requests.Response", patience: float, limit: int
) -> Iterator[tuple[bytes, int]]:
    """Yield the unpacked body as it comes, with the number of bytes received so far."""
    import urllib3

    host = _host(response.url)
    encoding = response.headers.get("Content-Encoding", "identity").lower()
    if encoding not in ("gzip", "identity"):
        raise ServerError(f"{host} packs its answers as {encoding!r}, which was not asked for")
    # Unpacked here and not by urllib3, which may read on and on before it returns one byte.
    unzip = zlib.decompressobj(wbits=31) if encoding == "gzip" else None
    received = size = 0
    window_start, window_bytes = monotonic(), 0
    while True:
        try:
            packed = response.raw.read1(PIECE, decode_content=False)
            piece = packed if unzip is None else unzip.decompress(packed, limit - size + 1)
        except (urllib3.exceptions.HTTPError, zlib.error) as error:
            raise fault(error, host, patience) from error
        if not packed:
            break
        received += len(packed)
        window_bytes += len(packed)
        size += len(piece)
        if size > limit:
            raise _too_large(size, limit)
        yield piece, received
        if monotonic() - window_start > patience:
            if window_bytes < SLOWEST * patience:
                raise fault(TimeoutError(), host, patience)
            window_start, window_bytes = monotonic(), 0
    if unzip is not None and not unzip.eof:
        raise _cut_off(host)


def _cut_off(host: str) -> ServerError:
    return ServerError(f"{host} hung up before the end of its answer: try again")


def _too_large(size: int, limit: int) -> DataError:
    return DataError(
        f"the data file has {spoken_bytes(size)} or more, and the limit (max_bytes) is "
        f"{spoken_bytes(limit)}: choose a smaller dataset"
    )


def _host(url: str) -> str:
    return urlsplit(url).netloc or url
