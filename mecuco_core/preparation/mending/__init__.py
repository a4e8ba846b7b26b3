"""What a person changes in a table before it becomes points, and what is read by meaning."""
