"""Errors and warnings for people: each message is one sentence to read."""


class DataError(ValueError):
    """One sentence for the person who asked for this data: what is wrong and what to do.

    See Also
    --------
    MissingPackageError : What is wrong is that a package is not installed.

    Examples
    --------
    >>> import mecuco as mc
    >>> try:
    ...     mc.datasets.load_manifold("sphere", n_points=0)
    ... except mc.DataError as error:
    ...     print(error)
    n_points must be a whole number of at least 1, got 0
    """


class MissingPackageError(DataError, ImportError):
    """A package is needed that is not installed; the sentence says which to install.

    It is an `ImportError` for programs and a `DataError` for people.

    See Also
    --------
    DataError : Everything else that can be wrong with data.

    Examples
    --------
    >>> import mecuco as mc
    >>> issubclass(mc.MissingPackageError, ImportError)
    True
    """


class SlowModeWarning(UserWarning):
    """The chosen mode will take minutes or more; `fast` and `haar` would not.

    See Also
    --------
    estimated_seconds : What a mode takes.

    Examples
    --------
    >>> import warnings
    >>> import mecuco as mc
    >>> warnings.simplefilter("ignore", mc.SlowModeWarning)  # it is known, and wanted
    """
