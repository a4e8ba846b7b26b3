"""Parts of the Method page."""
