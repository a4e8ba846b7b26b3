"""What can go wrong with a server, by what the caller can do about it."""

from mecuco_core.errors import DataError


class ServerError(DataError):
    """The server was not reached, or did not answer as OpenML does: a stored copy may help."""


class FileRefusedError(ServerError):
    """The server answered at once that it will not give this file: another format may help."""


class NotOnServerError(DataError):
    """The server answered properly that it has no such dataset."""


class DamagedCopyError(DataError):
    """A stored copy is not what was stored: it has to be downloaded again."""
