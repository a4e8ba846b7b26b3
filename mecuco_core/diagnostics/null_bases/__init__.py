"""The score in other bases of the null space."""
