"""The parts of the pages."""
