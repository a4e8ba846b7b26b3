"""Twenty visitors explore different datasets at once, for a while.

    python -m tests.soak [--seconds 600] [--visitors 20]

They speak Streamlit's own messages over loopback, without browsers: move k and mode, change colours
and pages, come and go. Printed at the end: how many answers there were and how long they took,
errors, and the memory of the server over time. The exit code is 1 if there was an error or memory
kept growing after the warm-up.
"""

import argparse
import sys
import tempfile
import threading
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tests.browser.keeper import running_app, server_process
from tests.light_visitor import LightVisitor

PAGES = ("Explore", "Explore", "Explore", "Agreement", "Boundary points", "Method", "Score X-ray")
MOST_GROWTH = 0.15
"""Share by which memory may be larger at the end than at the middle."""


@dataclass
class Log:
    """What all visitors met."""

    answers: dict[str, list[float]] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    visits: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, deed: str, seconds: float) -> None:
        """Keep the time of an answer."""
        with self.lock:
            self.answers.setdefault(deed, []).append(seconds)


def dataset(number: int) -> str:
    """Return the address of a dataset; every visitor has another one."""
    if number < 5:
        name = ("iris", "wine", "breast-cancer", "digits", "diabetes")[number]
        return f"data=bundled:{name}"
    shapes = ("torus", "sphere", "ellipsoid", "swiss-roll", "paraboloid")
    options = f"n_points={300 + 97 * number},seed={number}"
    return f"data=manifold:{shapes[number % len(shapes)]}&with={options}"


def watch_health(address: str, end: float, log: Log) -> None:
    """Ask every second whether the server is well, as a supervisor does."""
    while time.monotonic() < end:
        started = time.monotonic()
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=30) as answer:
                answer.read()
        except OSError as error:
            with log.lock:
                log.errors.append(f"health check: {error}")
        log.note("health check", time.monotonic() - started)
        time.sleep(1.0)


def visit(address: str, number: int, end: float, log: Log) -> None:
    """Be one visitor, who now and then leaves and comes back."""
    rng = np.random.default_rng(number)
    while time.monotonic() < end:
        try:
            with LightVisitor(address) as visitor:
                with log.lock:
                    log.visits += 1
                _stay(visitor, number, rng, min(end, time.monotonic() + 60), log)
                log.errors += visitor.exceptions
        except Exception as error:  # a visitor who is turned away is what this looks for
            with log.lock:
                log.errors.append(f"visitor {number}: {type(error).__name__}: {error}")
            return


def _stay(
    visitor: LightVisitor, number: int, rng: np.random.Generator, end: float, log: Log
) -> None:
    kind = "pca" if rng.random() < 0.7 else "umap"
    query = f"{dataset(number)}&map={kind}"
    log.note("open Explore", visitor.open("Explore", query))
    while time.monotonic() < end:
        time.sleep(float(rng.exponential(2.0)))  # people look at what they see
        deed, seconds = _deed(visitor, rng, query)
        log.note(deed, seconds)


def _deed(visitor: LightVisitor, rng: np.random.Generator, query: str) -> tuple[str, float]:
    labels = visitor.labels()
    draw = rng.random()
    if draw < 0.5 and "Neighbours k" in labels:
        return "move k", visitor.set("Neighbours k", int(rng.integers(3, 16)))
    if draw < 0.65 and "Mode" in labels:
        modes = [mode for mode in visitor.options("Mode") if not mode.startswith("original")]
        return "change mode", visitor.set("Mode", str(rng.choice(modes)))
    if draw < 0.8 and "Colour" in labels:
        return "change colour", visitor.set(
            "Colour", str(rng.choice(visitor.options("Colour")[:4]))
        )
    if draw < 0.9:
        return "look again", visitor.again()
    page = str(rng.choice(PAGES))
    return f"open {page}", visitor.open(page, query)


def resident(process: int) -> float:
    """Return the memory of a process in MB."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return float("nan")


def main() -> int:
    """Run the visitors and print what they met."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak")
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--visitors", type=int, default=20)
    given = parser.parse_args()
    log, memory = Log(), []
    # Results are kept up to a limit: with a low one memory is soon what it will stay.
    folder = tempfile.mkdtemp(prefix="mecuco-soak-")
    with running_app(MECUCO_CACHE_DIR=folder, MECUCO_CACHE_MB="32") as address:
        process = server_process(address)
        started = time.monotonic()
        end = started + given.seconds
        visitors = [
            threading.Thread(target=visit, args=(address, number, end, log), daemon=True)
            for number in range(given.visitors)
        ]
        visitors.append(
            threading.Thread(target=watch_health, args=(address, end, log), daemon=True)
        )
        for visitor in visitors:
            visitor.start()
        while any(visitor.is_alive() for visitor in visitors):
            memory.append((time.monotonic() - started, resident(process)))
            if time.monotonic() > end + 120:
                log.errors.append("visitors still wait two minutes after the end")
                break
            time.sleep(5)
    return told(log, memory, given)


def told(log: Log, memory: list[tuple[float, float]], given: Any) -> int:
    """Print the report; return the exit code."""
    print(f"{given.visitors} visitors for {given.seconds:g} s, {log.visits} visits")
    print(f"{'deed':24s} {'answers':>8s} {'median':>8s} {'95 %':>8s} {'longest':>8s}")
    for deed, seconds in sorted(log.answers.items()):
        middle, late = np.percentile(seconds, (50, 95))
        print(f"{deed:24s} {len(seconds):8d} {middle:7.2f}s {late:7.2f}s {max(seconds):7.2f}s")
    for at in np.linspace(0, len(memory) - 1, min(11, len(memory))).astype(int):
        print(f"after {memory[at][0]:5.0f} s: server {memory[at][1]:6.0f} MB")
    sizes = np.array([size for _, size in memory])
    middle, last = np.median(sizes[len(sizes) // 2 :][:5]), np.median(sizes[-5:])
    growth = float(last / middle - 1)
    print(f"memory from the middle to the end: {growth:+.1%}")
    for error in log.errors[:20]:
        print("ERROR", error)
    print(f"{sum(map(len, log.answers.values()))} answers, {len(log.errors)} errors")
    return 1 if log.errors or growth > MOST_GROWTH else 0


if __name__ == "__main__":
    sys.exit(main())
