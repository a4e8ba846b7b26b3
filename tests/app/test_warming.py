"""What is compiled in the background, and who waits for it."""

import threading

import pytest

from mecuco_app.results import warming
from mecuco_app.work.jobs import Stopped


@pytest.fixture
def compiling(monkeypatch):
    """Return an event that ends what is compiled in the background."""
    done = threading.Event()
    thread = threading.Thread(target=done.wait, daemon=True)
    monkeypatch.setattr(warming, "_thread", thread)
    thread.start()
    yield done
    done.set()
    thread.join()


def test_a_measurement_waits_for_the_compiler(compiling):
    told = []

    def report(share, message):
        told.append(message)
        if len(told) == 3:
            compiling.set()

    warming.wait_for_quiet(("pair",), 60.0, report)
    assert len(told) >= 3
    assert set(told) == {"Waiting for the compiler, which would slow the measurement"}


def test_it_waits_no_longer_than_it_may_and_can_be_stopped(compiling):
    warming.wait_for_quiet(("pair",), 0.2, lambda share, message: None)
    assert not compiling.is_set()

    def stop(share, message):
        raise Stopped

    with pytest.raises(Stopped):
        warming.wait_for_quiet(("pair",), 60.0, stop)


def test_what_was_not_begun_is_compiled_before_a_measurement(monkeypatch):
    compiled = []

    def begin():
        thread = threading.Thread(target=lambda: compiled.append(True))
        monkeypatch.setattr(warming, "_thread", thread)
        thread.start()

    monkeypatch.setattr(warming, "start", begin)
    warming.wait_for_quiet(("pair",), 60.0, lambda share, message: None)
    assert compiled
