"""The parts of the Gauge page."""
