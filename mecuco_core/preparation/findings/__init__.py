"""What is found in a table: one line a column, and what is suspicious in it."""
