"""One app for all browser tests, whichever process runs them.

    address = shared_address(folder)

The first caller starts a keeper: this module as a process of its own, which runs the app and a
loopback OpenML and ends with the test run. Others find its address in the folder. One server
compiles once; two would each do it, and the machine has better things to do.
"""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.openml_server import OpenMLServer, iris
from tests.waiting import processes_with

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 300.0  # the first start on a machine compiles the kernels
_ADDRESS, _LOG, _TAKEN = "address", "server.log", "taken"
_kept: "subprocess.Popen[bytes] | None" = None  # it outlives this process


def shared_address(folder: Path) -> str:
    """Return the address of the app that is kept for this test run, once it answers."""
    try:
        (folder / _TAKEN).touch(exist_ok=False)
    except FileExistsError:
        pass
    else:
        _start(folder)
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if (folder / _ADDRESS).exists():
            return (folder / _ADDRESS).read_text()
        time.sleep(0.05)
    log = folder / _LOG
    said = log.read_text(errors="replace")[-2000:] if log.exists() else "nothing"
    raise RuntimeError(f"the app did not start; it said: {said}")


def _start(folder: Path) -> None:
    global _kept
    # Under xdist the parent is the process that ends last.
    run = os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()
    with (folder / _LOG).open("wb") as log:
        _kept = subprocess.Popen(
            [sys.executable, "-m", "tests.browser.keeper", str(folder), str(run)],
            cwd=ROOT,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def keep(folder: Path, run: int) -> None:
    """Run the app until the process `run` is gone."""
    with (
        OpenMLServer(iris()) as openml,
        running_app(
            MECUCO_OPENML_SERVER=openml.address, MECUCO_CACHE_DIR=str(folder / "cache")
        ) as address,
    ):
        partial = folder / f"{_ADDRESS}.new"
        partial.write_text(address)
        partial.rename(folder / _ADDRESS)
        while _alive(run):
            time.sleep(0.5)


@contextmanager
def running_app(**environment: str) -> Iterator[str]:
    """Run the app with these variables; yield its address once it answers."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    process = subprocess.Popen(
        [sys.executable, "-m", "mecuco_app.launch", f"--server.port={port}"],
        cwd=ROOT,
        env={**os.environ, **environment},
    )
    try:
        while not _answers(f"{address}/_stcore/health"):
            if process.poll() is not None:
                raise RuntimeError(f"the app ended with code {process.returncode}")
            time.sleep(0.02)
        yield address
    finally:
        process.terminate()  # a test may have killed it before
        process.wait(20)


def server_process(address: str) -> int:
    """Return the process that runs the app at an address."""
    (process,) = processes_with(f"--server.port={address.rpartition(':')[2]}")
    return process


def free_port() -> int:
    """Return a port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=1) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


if __name__ == "__main__":
    keep(Path(sys.argv[1]), int(sys.argv[2]))
