"""Values of any origin become columns: their names, kinds and types."""
