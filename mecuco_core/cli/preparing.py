"""`--prepare KEY=VALUE`: a Preparation as words on the command line, both ways."""

import argparse
from dataclasses import fields, replace
from typing import Any

from mecuco_core.errors import DataError
from mecuco_core.preparation.mending.mends import Mend
from mecuco_core.preparation.protocol import PAPER, PROTOCOLS, Preparation

PREPARE_HELP = (
    "how the table becomes points, KEY=VALUE, may be given several times: categories=codes|one-hot|"
    "drop|levels, missing=zero|median|drop-rows|indicator, scale=standard|robust|min-max|none|"
    "suited, recognition=plain|close, metric=euclidean|cosine, include=COLUMN, exclude=COLUMN "
    "(each may be repeated), dimensions=N, n_rows=N, stratify=yes|no, seed=N; default: as in the "
    "protocol"
)
PROTOCOL_HELP = (
    "paper: missing values become 0, categories codes, every column is standardised; sensible: "
    "missing values become the median, categories features of their own, and each column is scaled "
    "by what it is; default: sensible for files, the paper's for other data, and manifolds and "
    "vectors as they are"
)
MEND_HELP = (
    "mend the table first, may be given several times: 'COLUMN: VALUE is missing', 'COLUMN: read "
    "as numbers', 'COLUMN: join spellings', 'COLUMN: role feature|identifier|text|image|link|leave "
    "out', 'keep the first of repeated rows', 'compare rows by direction'; mecuco info names "
    "what is to be mended"
)
YES, NO = {"yes", "true", "1"}, {"no", "false", "0"}
LISTS = ("include", "exclude")
COUNTS = ("n_rows", "seed", "dimensions")
BESIDE = ("roles", "mends")  # these are said by --mend
KEYS = tuple(field.name for field in fields(Preparation) if field.name not in BESIDE)


def parse_preparation(words: list[str], default: Preparation = PAPER) -> Preparation:
    """Return the preparation that the words KEY=VALUE describe."""
    changes: dict[str, Any] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if word in PROTOCOLS:
            default = default.in_protocol(word)
        elif key == "mend" and equals:
            default = default.with_mend(Mend.parse(value))
        elif not equals or key not in KEYS:
            raise DataError(
                f"--prepare takes KEY=VALUE with KEY in {', '.join(KEYS)}, got {word!r}"
            )
        elif key in LISTS:
            changes[key] = (*changes.get(key, ()), value)
        elif key == "stratify":
            if value not in YES | NO:
                raise DataError(f"--prepare stratify must be yes or no, got {value!r}")
            changes[key] = value in YES
        elif key in COUNTS:
            try:
                changes[key] = int(value)
            except ValueError:
                raise DataError(f"--prepare {key} must be a whole number, got {value!r}") from None
        else:
            changes[key] = "drop rows" if value == "drop-rows" else value
    return replace(default, **changes)


def chosen_preparation(options: argparse.Namespace, default: Preparation = PAPER) -> Preparation:
    """Return the preparation that --protocol, --prepare, --mend and --metric describe."""
    if options.protocol is not None:
        default = default.in_protocol(options.protocol)
    preparation = parse_preparation(options.prepare, default)
    for words in options.mend:
        preparation = preparation.with_mend(Mend.parse(words))
    if options.metric is None:
        return preparation
    return replace(preparation, metric=options.metric)


def preparation_words(preparation: Preparation) -> list[str]:
    """Return the words KEY=VALUE that describe a preparation, none for the paper's."""
    words = []
    for field in fields(Preparation):
        value = getattr(preparation, field.name)
        if value == getattr(PAPER, field.name):
            continue
        if field.name in BESIDE:
            continue
        if field.name in LISTS:
            words += [f"{field.name}={name}" for name in value]
        elif isinstance(value, bool):
            words.append(f"{field.name}={'yes' if value else 'no'}")
        else:
            words.append(f"{field.name}={str(value).replace('drop rows', 'drop-rows')}")
    words += [f"mend={mend.words}" for mend in preparation.all_mends]
    return words
