"""Distances and the approximate search, compiled."""
