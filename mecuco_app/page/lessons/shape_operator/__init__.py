"""The parts of the Shape operator page."""
