"""A table with the faults of real ones: each is named, and two clicks later none makes outliers."""

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect

from tests.browser.visitor import COMPILING

N_ROWS = 1200


def messy():
    """1 215 rows: missing ages, sentinels, percent texts, codes that look like numbers, repeats."""
    rng = np.random.default_rng(0)
    group = rng.choice(3, N_ROWS, p=[0.5, 0.3, 0.2])
    table = pd.DataFrame(
        {
            "customer_id": [f"C{100_000 + i}" for i in rng.permutation(N_ROWS)],
            "segment": np.array(["bronze", "silver", "gold"])[group],
            "age": np.round(np.clip(rng.normal(42 + 4 * group, 11), 18, 90)),
            "income": np.round(rng.normal(40_000 + 6000 * group, 8000)),
            "discount": [f"{v:.1f}%" for v in np.clip(rng.normal(6 + 2 * group, 2), 0, 25)],
            "zip": rng.choice(rng.integers(10_000, 99_999, 400), N_ROWS),
            "country": rng.choice(
                ["US", "us", "Germany", "France"], N_ROWS, p=[0.5, 0.1, 0.3, 0.1]
            ),
            "visits": rng.poisson(8 + 2 * group).astype(float),
            "channel": "web",
        }
    )
    rows = rng.permutation(N_ROWS)
    table.loc[rows[:60], "age"] = np.nan
    table.loc[rows[60:85], "age"] = -999
    table.loc[rows[85:89], "income"] = 9_999_999
    table.loc[rows[89:157], "income"] = np.nan
    table.loc[rows[157:172], "visits"] = -1
    table.loc[rows[172:174], "discount"] = "6.6%%"
    table.loc[rows[174:177], "channel"] = "shop"
    return pd.concat([table, table.iloc[rows[300:315]]], ignore_index=True)


FAULTS = (
    "'age' is -999", "'income' is 9999999", "'discount' holds percent texts",
    "'zip' looks like a number", "'country' has texts that differ only by case",
    "'visits' is -1", "'channel' is nearly constant", "15 rows repeat an earlier one",
)  # fmt: skip


@pytest.mark.thorough
def test_each_fault_is_named_and_after_two_clicks_none_makes_a_row_one_of_the_highest(visitor):
    table = messy()
    content = table.to_csv(index=False).encode()
    visitor.open("/?map=pca")
    visitor.wait_drawn("home-map")
    visitor.page.locator("input[type=file]").set_input_files(
        {"name": "customers.csv", "mimeType": "text/csv", "buffer": content}
    )
    visitor.page.get_by_role("button", name="Load this table").click()  # one click
    visitor.sees("label segment")
    for words in FAULTS:
        visitor.sees(words)
    visitor.page.get_by_role("button", name="Mend all").click()  # and another
    visitor.sees("Nothing left to look at")
    visitor.page.get_by_role("button", name="Explore →").click()
    visitor.sees("customers · score by haar", COMPILING)
    visitor.wait("plot._fullData[0].x.length === 1200", "map")
    with visitor.page.expect_download() as download:
        visitor.page.get_by_role("button", name="Export").click()
        visitor.page.get_by_role("button", name="Scores as CSV").click()
    scores = pd.read_csv(download.value.path())
    highest = scores.sort_values("score", ascending=False)["row"].head(30)
    faulty = (table["age"] == -999) | (table["income"] == 9_999_999) | (table["visits"] == -1)
    faulty |= (table["discount"] == "6.6%%") | table[["age", "income"]].isna().any(axis=1)
    # As often as anywhere: before, in 27 of the highest 30. A row may be there for other reasons.
    assert faulty[highest].mean() <= 1.5 * faulty.mean()
    expect(visitor.page.get_by_test_id("stException")).to_have_count(0)
    assert visitor.abroad == []
