"""The tasks of the lessons."""
