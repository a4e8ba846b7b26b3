"""Parts of the Home page: the ways to data, and what was found in those that are there."""
