"""From a source to a prepared dataset, and what is kept of a visit."""
