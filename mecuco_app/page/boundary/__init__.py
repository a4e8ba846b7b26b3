"""Parts of the Boundary points page."""
