"""The parts of the Null space page."""
