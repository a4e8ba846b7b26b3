"""Timings of the engine, run by hand: `make bench`."""
