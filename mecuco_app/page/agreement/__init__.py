"""Parts of the Agreement page."""
