"""The score of one neighbourhood: each mode readable, and compiled."""
