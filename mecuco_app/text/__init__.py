"""Numbers and words for people; escaping."""
