"""What a person sees at a terminal: notes and progress on standard error, nothing in a pipe."""

import sys
import time
from collections.abc import Callable

from mecuco_core.runtime.wording import spoken_seconds
from mecuco_core.types import Progress

WIDTH = 24
EVERY = 0.1


class Terminal:
    """Notes and progress bars; `quiet` keeps both to itself."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.quiet = quiet
        self.bars = not quiet and sys.stderr.isatty()
        self.open = False

    def note(self, sentence: str) -> None:
        """Print one sentence."""
        self.close()
        if not self.quiet:
            print(sentence, file=sys.stderr)

    def progress(self, what: str) -> Progress | None:
        """Return a progress to hand to the engine, None where nobody watches."""
        if not self.bars:
            return None
        return _Bar(what, self._draw)

    def _draw(self, line: str) -> None:
        self.open = True
        print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Take an open bar from the screen."""
        if self.open:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
            self.open = False


class _Bar:
    def __init__(self, what: str, draw: Callable[[str], None]) -> None:
        self.what, self.draw = what, draw
        self.start = time.monotonic()
        self.drawn = 0.0

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self.drawn < EVERY and done != total:
            return
        self.drawn = now
        if total <= 0:
            self.draw(f"{self.what}  {done:,}")
            return
        share = min(1.0, done / total)
        filled = round(share * WIDTH)
        left = (now - self.start) * (1 - share) / share if share > 0.02 else None
        rest = "" if left is None else f"  {spoken_seconds(left)} left"
        self.draw(f"{self.what}  {'█' * filled}{'░' * (WIDTH - filled)} {share:4.0%}{rest}")
