"""A table as people have them: 1,215 customers with every fault that a preparation should survive.

Made by rule from a seed, so that each fault is known.
"""

import numpy as np
import pandas as pd

N = 1200
REPEATED = 15
SPELLINGS = {"Gold": "Gold ", "Silver": "silver", "Bronze": "BRONZE"}


def messy(seed: int = 0) -> pd.DataFrame:
    """Return 1,215 rows: 40 of them are odd in what was measured, and complete."""
    g = np.random.default_rng(seed)
    segment = g.integers(0, 3, N)
    age = np.clip(np.round(g.normal(35 + 8 * segment, 8)), 18, 90)
    income = np.round(np.exp(g.normal(10.4 + 0.25 * segment, 0.35)))
    discount = np.round(np.abs(g.normal(6 + 2 * segment, 2.5)), 1)
    visits = g.poisson(4 + 3 * segment).astype(float)
    spend = np.round(g.gamma(2 + segment, 60), 2)
    order = g.permutation(N)
    odd, rest = order[:40], order[40:]
    age[odd] = g.choice([18.0, 89.0], len(odd))
    visits[odd] = g.choice([0.0, 34.0], len(odd))
    spend[odd] = g.choice([1.0, 1400.0], len(odd))
    discount[odd] = g.choice([0.1, 24.0], len(odd))
    age[rest[:90]] = np.nan
    age[rest[90:112]] = -999
    income[rest[200:270]] = np.nan
    income[rest[300:312]] = 9_999_999
    names = np.array(list(SPELLINGS), dtype=object)[segment]
    names[rest[400:440]] = [SPELLINGS[name] for name in names[rest[400:440]]]
    days = pd.Timestamp("2019-01-01") + pd.to_timedelta(g.integers(0, 1500, N), unit="D")
    since = days.strftime("%Y-%m-%d").to_numpy(dtype=object)
    since[rest[500:509]] = "1900-01-01"
    active = np.ones(N, dtype=int)
    active[rest[600:607]] = 0
    table = pd.DataFrame(
        {
            "customer_id": np.arange(1, N + 1),
            "age": age,
            "income": income,
            "discount": [f"{value}%" for value in discount],
            "visits": visits,
            "spend": spend,
            "zip": g.choice(90_000, N, replace=False) + 10_000,
            "since": since,
            "active": active,
            "segment": names,
        }
    )
    return pd.concat([table, table.iloc[rest[700 : 700 + REPEATED]]], ignore_index=True)
