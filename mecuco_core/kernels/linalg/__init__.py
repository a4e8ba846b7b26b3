"""Small decompositions, compiled."""
