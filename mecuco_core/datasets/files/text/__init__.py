"""Formats that are text: delimited, JSON, ARFF, libsvm."""
