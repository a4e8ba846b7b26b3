"""The results that come with this release: made by `mecuco reproduce`, on real data."""

import json
from importlib.resources import files
from io import StringIO
from typing import Any

import pandas as pd


def shipped_results() -> pd.DataFrame:
    """Return the rows of results.csv: one per dataset, table and mode."""
    return pd.read_csv(StringIO(_text("results.csv")), keep_default_na=True)


def shipped_null_bases() -> pd.DataFrame:
    """Return the rows of null_bases.csv: one per dataset, table and kind of null-space basis."""
    return pd.read_csv(StringIO(_text("null_bases.csv")))


def shipped_about() -> dict[str, Any]:
    """Return what made them: versions, date, command."""
    about: dict[str, Any] = json.loads(_text("results_about.json"))
    return about


def _text(name: str) -> str:
    return files("mecuco_core.reproduction").joinpath(name).read_text("utf-8")
