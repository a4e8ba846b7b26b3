"""From a table to points: columns, encoding, scaling, sampling, and the report of it."""
