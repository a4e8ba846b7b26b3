"""The k nearest neighbours of every point."""
