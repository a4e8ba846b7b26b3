"""OpenML as a source of datasets: search, describe, load; once loaded, without a network."""

from mecuco_core.datasets.openml.description import Description, Notify
from mecuco_core.datasets.openml.errors import NotOnServerError, ServerError
from mecuco_core.datasets.openml.listing import Listing, search_openml
from mecuco_core.datasets.openml.load import MOST_BYTES, load_openml
from mecuco_core.datasets.openml.lookup import describe_openml
from mecuco_core.datasets.openml.reference import Reference, parse_reference

__all__ = [
    "MOST_BYTES",
    "Description",
    "Listing",
    "NotOnServerError",
    "Notify",
    "Reference",
    "ServerError",
    "describe_openml",
    "load_openml",
    "parse_reference",
    "search_openml",
]
