"""The figures of the lessons."""
