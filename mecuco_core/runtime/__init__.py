"""Threads, progress, compiled code, files written whole: what every room may need."""
