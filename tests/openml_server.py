"""A server on loopback that speaks OpenML's protocol, keeps a log, and fails on request.

    with OpenMLServer(Served(61, "iris", arff, target="class")) as server:
        monkeypatch.setenv("MECUCO_OPENML_SERVER", server.address)
        server.fail("/data/v1/download/", "hang-up")

It answers `data/list`, `data/ID`, the ARFF file and its Parquet twin.
"""

import contextlib
import gzip
import re
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal
from urllib.parse import unquote, urlsplit

from tests.openml_datasets import IRIS, NAMESPACE, Served, elements, iris

__all__ = ["IRIS", "Fault", "OpenMLServer", "Served", "iris"]

HTML = b"<!doctype html><html><head><title>Oops</title></head><body>Oops</body></html>"

Fault = Literal[
    "500",  # an error page
    "503",
    "404",
    "412",  # OpenML's own error, for a database that is down
    "busy",  # the answer comes after `delay` seconds
    "captive",  # HTTP 200 with the page of somebody else
    "cut",  # a proper answer with the second half missing
    "cut-packed",  # the same, cut after it was packed
    "dribble",  # a byte now and then
    "empty",  # HTTP 200 with nothing
    "hang-up",  # closes the connection half-way
    "reset",  # closes the connection without an answer
    "silent",  # accepts the connection and never answers
    "stall",  # sends the first half and keeps the connection
]


class OpenMLServer(ThreadingHTTPServer):
    """The server; a context manager that serves between enter and exit.

    Attributes
    ----------
    log : list of str
        "METHOD /path?query" of every request, in order.
    headers : list of str
        The headers of every request, in the same order.
    packs : bool
        Whether answers are gzipped for those who take them.
    delay : float
        Seconds that the fault "busy" waits.
    """

    daemon_threads = True
    block_on_close = False  # a handler may be waiting for `closing`

    def __init__(self, *datasets: Served) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.datasets = {dataset.id: dataset for dataset in datasets}
        self.log: list[str] = []
        self.headers: list[str] = []
        self.packs = True
        self.delay = 0.3
        self.closing = threading.Event()
        self._faults: list[tuple[str, Fault]] = []

    @property
    def site(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    @property
    def address(self) -> str:
        """What belongs into MECUCO_OPENML_SERVER."""
        return f"{self.site}/api/v1/xml"

    def add(self, dataset: Served) -> None:
        self.datasets[dataset.id] = dataset

    def fail(self, pattern: str, fault: Fault) -> None:
        """Answer every request whose path matches `pattern` with `fault`."""
        self._faults.append((pattern, fault))

    def heal(self) -> None:
        """Forget all faults."""
        self._faults.clear()

    def fault_of(self, path: str) -> Fault | None:
        return next((fault for text, fault in self._faults if re.search(text, path)), None)

    def stop(self) -> None:
        """Close the port: from now on connections are refused."""
        if not self.closing.is_set():
            self.closing.set()
            self.shutdown()
            self.server_close()

    def __enter__(self) -> "OpenMLServer":
        # The default poll of half a second would be waited for by every test.
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


@dataclass(frozen=True)
class _Answer:
    body: bytes
    status: int = 200
    kind: str = "text/xml"
    packed: bool = True  # may be gzipped


class _Handler(BaseHTTPRequestHandler):
    server: OpenMLServer
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *_: object) -> None:
        pass

    def handle(self) -> None:
        # The client may have had enough, which is what many tests are about.
        with contextlib.suppress(ConnectionError):
            super().handle()

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        self.server.log.append(f"{self.command} {self.path}")
        self.server.headers.append(str(self.headers))
        path = urlsplit(self.path).path
        fault = self.server.fault_of(path)
        if fault == "silent":
            self.server.closing.wait()
        if fault in ("reset", "silent"):
            self.close_connection = True
            return
        if fault == "busy":
            self.server.closing.wait(self.server.delay)
        if fault in ("404", "500", "503"):
            self._send(_Answer(HTML, int(fault), "text/html", packed=False))
        elif fault == "412":
            self._send(_error(107, "Database connection error"))
        elif fault == "captive":
            self._send(_Answer(HTML, 200, "text/html", packed=False))
        else:
            self._send(self._answer(path), fault)

    def _answer(self, path: str) -> _Answer:
        datasets = self.server.datasets
        if match := re.fullmatch(r"/api/v1/xml/data/list/?(.*)", path):
            return _listing(datasets.values(), match[1])
        if match := re.fullmatch(r"/api/v1/xml/data/(\d+)", path):
            dataset = datasets.get(int(match[1]))
            if dataset is None:
                return _error(111, "Unknown dataset")
            if dataset.status == "private":
                return _error(112, "No access granted")
            return _Answer(dataset.described(self.server.site).encode())
        if match := re.fullmatch(r"/data/v1/download/(\d+)/.*", path):
            return _Answer(datasets[int(match[1])].arff, kind="text/plain")
        if match := re.fullmatch(r"/datasets/\d{4}/\d{4}/dataset_(\d+)\.pq", path):
            content = datasets[int(match[1])].parquet or b""
            return _Answer(content, kind="application/octet-stream", packed=False)
        return _Answer(HTML, 404, "text/html")

    def _send(self, answer: _Answer, fault: Fault | None = None) -> None:
        body = b"" if fault == "empty" else answer.body
        if fault == "cut":
            body = body[: len(body) // 2]
        asked = "gzip" in self.headers.get("Accept-Encoding", "")
        packed = answer.packed and asked and self.server.packs
        if packed:
            body = gzip.compress(body, compresslevel=1, mtime=0)
        if fault == "cut-packed":
            body = body[: len(body) // 2]
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.kind)
        if packed:
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "HEAD":
            return
        if fault in ("hang-up", "stall"):
            self.wfile.write(body[: len(body) // 2])
            self.wfile.flush()
            if fault == "stall":
                self.server.closing.wait()
            self.close_connection = True
        elif fault == "dribble":
            for position in range(len(body)):
                self.wfile.write(body[position : position + 1])
                if self.server.closing.wait(0.05):
                    break
            self.close_connection = True
        else:
            self.wfile.write(body)


def _listing(datasets: Iterable[Served], filters: str) -> _Answer:
    words = filters.split("/")
    wanted = dict(zip(words[::2], words[1::2], strict=False))
    status = wanted.get("status", "active")
    found = [dataset for dataset in datasets if status in ("all", dataset.status)]
    if "data_id" in wanted:
        ids = wanted["data_id"].split(",")
        found = [dataset for dataset in found if str(dataset.id) in ids]
    if "data_name" in wanted:
        name = unquote(wanted["data_name"]).casefold()
        found = [dataset for dataset in found if dataset.name.casefold() == name]
    if "data_version" in wanted:
        found = [dataset for dataset in found if str(dataset.version) == wanted["data_version"]]
    start = int(wanted.get("offset", 0))
    found = found[start : start + int(wanted.get("limit", 10_000))]
    if not found:
        return _error(372, "No results")
    lines = "".join(dataset.listed() for dataset in found)
    return _Answer(f"<oml:data {NAMESPACE}>{lines}</oml:data>".encode())


def _error(code: int, message: str) -> _Answer:
    fields = elements(code=code, message=message)
    return _Answer(f"<oml:error {NAMESPACE}>{fields}</oml:error>".encode(), 412)
