"""The report of a reproduction: one HTML page."""
