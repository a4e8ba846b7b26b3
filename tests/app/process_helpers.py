"""Functions that tests send to processes of their own."""

import os
import time

import numpy as np


class UnluckyError(Exception):
    """An error that cannot be made again from its arguments."""

    def __init__(self, first, second):
        super().__init__(first)
        self.second = second


def doubled(values, *, report, factor=2):
    report(0.5, "half way")
    return values * factor


def unfinished(values, *, report):
    report(0.5, "half way", so_far=values[:2])
    report(0.6, "farther")
    return values


def where(*, report):
    import sys

    return os.getpid(), os.nice(0), "streamlit" in sys.modules


def chatty(*, report):
    print("a library prints")
    os.write(1, b"and so does its compiled part\n")
    return 7


def refused(*, report):
    raise ValueError("points must be finite")


def unlucky(*, report):
    raise UnluckyError(1, 2)


def killed(*, report):
    os.kill(os.getpid(), 9)


def greedy(n_bytes, *, report):
    return int(np.ones(n_bytes // 8).sum())


def endless(path, *, report):
    path.write_text(str(os.getpid()))
    while True:
        report(0.25, "for ever")
        time.sleep(0.01)
