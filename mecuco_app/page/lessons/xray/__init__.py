"""The parts of the Score X-ray page."""
