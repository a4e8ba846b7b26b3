"""Errors and warnings for people: each message is one sentence to read."""


class DataError(ValueError):
    """One sentence for the person who asked for this data: what is wrong and what to do."""


class SlowModeWarning(UserWarning):
    """The chosen mode will take minutes or more; `fast` and `haar` would not."""
