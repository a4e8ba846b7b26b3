"""The parts of the Ground truth page."""
