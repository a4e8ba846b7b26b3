"""The local quadric through one neighbourhood: readable, and compiled."""
