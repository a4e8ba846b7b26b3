"""The tasks of the Paper page."""
