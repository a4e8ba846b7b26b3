"""Datasets from what a Python program holds in memory: frames, arrays, tensors, cells."""
