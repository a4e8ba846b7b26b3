"""Formats that are not text: arrays, columns, workbooks."""
