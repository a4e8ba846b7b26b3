"""Feed the product damaged files, made-up addresses and odd arguments, for a while.

    python -m tests.fuzz [--seconds 600] [--seed 0]

Every input must give a value or one of our own sentences, in bounded time and memory. Files are
read by processes of their own, as in the app: they may end, and may not unpickle, start anything or
connect anywhere. Counts are printed at the end.
What fails is kept in a folder and named, and the exit code is 1.
"""

import argparse
import logging
import multiprocessing
import os
import string
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

MOST_SECONDS = 20.0  # for one input, on a busy machine
MOST_BYTES = 6 * 2**30
FORBIDDEN = {
    "pickle.find_class", "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn",
    "socket.connect", "socket.getaddrinfo", "shutil.rmtree", "os.remove",
}  # fmt: skip


BROKEN_RULE = 86
"""Exit code of a process that reads files, and did what none may do."""


class BrokenRuleError(BaseException):
    """Something happened that no input may cause; no handler of the product may catch it."""


@dataclass
class Count:
    """What became of the inputs of one kind."""

    values: int = 0
    sentences: int = 0
    slowest: float = 0.0
    failures: list[str] = field(default_factory=list)


class Guard:
    """Notices forbidden deeds of this process while it is on."""

    def __init__(self) -> None:
        self.on = False
        sys.addaudithook(self._hook)

    def _hook(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.on and event in FORBIDDEN:
            if event == "pickle.find_class" and _is_called_by("numba"):
                return  # our own compiled code, loaded from disk on its first use
            self.on = False
            raise BrokenRuleError(f"{event} {arguments!r}")


def _is_called_by(package: str) -> bool:
    frame = sys._getframe()
    while frame is not None:
        if f"{os.sep}{package}{os.sep}" in frame.f_code.co_filename:
            return True
        frame = frame.f_back
    return False


Target = Callable[[np.random.Generator], tuple[bytes, Callable[[], object]]]
"""Returns an input, to be kept should it fail, and what to call."""


def file_targets() -> dict[str, Target]:
    """Return a target for every format: real files of it, damaged, read as the app reads them."""
    from mecuco_app.work import uploads
    from mecuco_app.work.jobs import silent
    from mecuco_core.datasets.files import ReadOptions
    from mecuco_core.preparation.prepare import prepare
    from tests.core.datasets.files.test_fuzz import SOURCES

    uploads.LIMITS = replace(uploads.LIMITS, file_seconds=10, job_megabytes=1024)
    # The app takes a process for each file; here one reads until it ends.
    processes: list[uploads.FileProcess] = []

    def reader() -> uploads.FileProcess:
        if not processes or not processes[-1].is_alive:
            processes.append(uploads.FileProcess((sys.executable, "-m", "tests.fuzz_reader")))
        return processes[-1]

    def target(name: str) -> Target:
        raw, damage = SOURCES[name]

        def make(rng: np.random.Generator) -> tuple[bytes, Callable[[], object]]:
            content = damage(raw, rng)
            for _ in range(int(rng.integers(3))):
                content = damage(content, rng) if damage.__name__ == "damaged" else content

            def call() -> object:
                process = reader()
                try:
                    options = uploads.look(process, content, name, ReadOptions(), silent).options
                    reading = uploads.read(process, content, name, options, silent)
                except ValueError:
                    if process.exit_code == BROKEN_RULE:
                        raise BrokenRuleError("by the process that reads files") from None
                    raise
                return prepare(reading.dataset)

            return content, call

        return make

    return {f"file: {name}": target(name) for name in SOURCES}


def address_target(rng: np.random.Generator) -> tuple[bytes, Callable[[], object]]:
    """Return an address with some right and many wrong parameters."""
    from mecuco_app.data import sources
    from mecuco_app.scene.fitting import fitted
    from mecuco_app.view import links
    from tests.hostile_strings import STRINGS

    names = [parameter.name for parameter in links.PARAMETERS]
    names += ["data", "with", "target", "v", "rows", "scaling", "only", "without", "print", "x"]
    words = [
        "bundled:iris", "bundled:digits", "manifold:torus", "manifold:sphere", "openml:", "pca",
        "top:10", "range:1:2", "rows:AAE", "n_points=99", "n_points=1e9", "nan", "-1", "1e400",
        "0", "1", "2", "15", "haar", "exact", "columns", "label", "none", "true", *STRINGS,
    ]  # fmt: skip

    def word() -> str:
        if rng.random() < 0.8:
            return str(rng.choice(np.array(words, dtype=object)))
        letters = list(string.printable + "éß𝛼\u202e")
        return "".join(rng.choice(letters, size=int(rng.integers(0, 40))))

    chosen = rng.choice(names, size=int(rng.integers(1, 9)), replace=False)
    given = {str(name): word() for name in chosen}

    def call() -> object:
        opened = links.decoded(given)
        again = links.decoded(links.encoded(opened.view))
        assert again.view == opened.view, "the address of a view leads to another view"
        if opened.view.data.source in ("bundled", "manifold"):  # quick, and no network
            loaded = sources.opened(opened.view)
            return fitted(opened.view, loaded.dataset, loaded.prepared)
        return opened

    return repr(given).encode(), call


def function_target(rng: np.random.Generator) -> tuple[bytes, Callable[[], object]]:
    """Return a call of a public function with odd arguments."""
    import mecuco as mc

    n, m = int(rng.integers(0, 30)), int(rng.integers(0, 7))
    points: Any = rng.standard_normal((n, m))
    with np.errstate(all="ignore"):
        odd: list[Callable[[], Any]] = [
            lambda: points,
            lambda: np.round(points),
            lambda: points * 10.0 ** rng.integers(-320, 320),
            lambda: points + 10.0 ** rng.integers(0, 20),
            lambda: np.where(rng.random((n, m)) < 0.1, np.nan, points),
            lambda: np.where(rng.random((n, m)) < 0.1, np.inf, points),
            lambda: points.astype(np.float32),
            lambda: points.astype(np.complex128),
            lambda: points.astype(str),
            lambda: points.ravel(),
            lambda: points.tolist(),
            lambda: points[:, :0],
            lambda: np.zeros((n, m)),
            lambda: np.repeat(points[: n // 3], 3, axis=0),
            lambda: None,
            lambda: "points",
        ]
        points = odd[int(rng.integers(len(odd)))]()
    k: Any = rng.choice(np.array([None, "log2", -1, 0, 1, 2, 5, 12, 29, 2.5, "x", np.nan], object))
    mode = str(rng.choice(["original", "exact", "fast", "haar", "auto", "", "FAST"]))
    name = str(
        rng.choice(
            ["curvature", "knn_graph", "shape_operator", "compare", "boundary", "estimator",
             "dimension", "seconds"]
        )
    )  # fmt: skip

    def call() -> object:
        match name:
            case "curvature":
                return mc.curvature(points, k, mode=mode)  # type: ignore[arg-type]
            case "knn_graph":
                method: Any = rng.choice(["auto", "exact", "approximate", "none"])
                return mc.knn_graph(points, k, search=method)
            case "shape_operator":
                return mc.shape_operator(points, k, dimension=int(rng.integers(0, 6)))
            case "compare":
                return mc.compare(points, points)
            case "boundary":
                return mc.boundary_points(
                    points, percentile=rng.choice([-1, 0, 50, 99.9, 100, np.nan])
                )
            case "estimator":
                model = mc.CurvatureScore(k, mode=mode)  # type: ignore[arg-type]
                return model.fit(points).transform(points)
            case "dimension":
                return mc.intrinsic_dimension(points)
        return mc.estimated_seconds(n, m, 5 if k is None else k, mode)  # type: ignore[arg-type]

    return repr((name, points, k, mode)).encode(), call


def run(seconds: float, seed: int, folder: Path) -> dict[str, Count]:
    """Feed every target in turn until the time is over."""
    import resource

    from mecuco import warm_up

    warnings.simplefilter("ignore")  # here an input fails by what it raises
    warm_up()
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, MOST_BYTES))
    targets = {
        **file_targets(),
        "address": address_target,
        "public function": function_target,
    }
    guard, counts = Guard(), {name: Count() for name in targets}
    logging.disable(logging.CRITICAL)  # of the files that cost their reader the life
    end, number = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        number += 1
        for place, (name, make) in enumerate(targets.items()):
            rng = np.random.default_rng([seed, number, place])
            kept = folder / f"{name.replace(': ', '-').replace(' ', '-')}-{seed}-{number}"
            # The process that reads files has a guard of its own.
            _once(make, rng, None if name.startswith("file") else guard, counts[name], kept)
    return counts


def _once(
    make: Target, rng: np.random.Generator, guard: Guard | None, count: Count, kept: Path
) -> None:
    from mecuco_core.errors import DataError

    content, call = make(rng)
    started = time.monotonic()
    if guard is not None:
        guard.on = True
    try:
        call()
        count.values += 1
    except (ValueError, TypeError) as error:
        count.sentences += 1
        sentence = str(error)
        ours = isinstance(error, DataError)  # the estimator speaks as scikit-learn's do
        if len(sentence) <= 10 or (ours and (len(sentence) > 1000 or not sentence.isprintable())):
            count.failures.append(f"{kept}: not a sentence: {sentence[:200]!r}")
            kept.write_bytes(content)
    except (Exception, BrokenRuleError):
        count.failures.append(f"{kept}: {traceback.format_exc()}")
        kept.write_bytes(content)
    finally:
        if guard is not None:
            guard.on = False
    took = time.monotonic() - started
    count.slowest = max(count.slowest, took)
    if took > MOST_SECONDS:
        count.failures.append(f"{kept}: took {took:.0f} s")
        kept.write_bytes(content)


def main() -> int:
    """Run on every processor and print the counts."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="mecuco-fuzz-"))
    n_processes = os.cpu_count() or 1
    print(f"fuzzing for {given.seconds:g} s in {n_processes} processes, seed {given.seed}")
    with multiprocessing.get_context("spawn").Pool(n_processes) as pool:
        tasks = [(given.seconds, given.seed + i, folder) for i in range(n_processes)]
        every = pool.starmap(run, tasks)
    failures = []
    print(f"{'input':28s} {'inputs':>8s} {'values':>8s} {'sentences':>9s} {'slowest':>8s}")
    for name in every[0]:
        parts = [counts[name] for counts in every]
        values, sentences = sum(p.values for p in parts), sum(p.sentences for p in parts)
        slowest = max(part.slowest for part in parts)
        failures += [failure for part in parts for failure in part.failures]
        total = values + sentences
        print(f"{name:28s} {total:8d} {values:8d} {sentences:9d} {slowest:7.2f}s")
    for failure in failures[:20]:
        print(failure)
    print(f"{len(failures)} failures" + (f", kept in {folder}" if failures else ""))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
