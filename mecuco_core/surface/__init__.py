"""The curvature of a surface through the points."""
