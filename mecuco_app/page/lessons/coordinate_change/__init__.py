"""The parts of the page on changes of coordinates."""
