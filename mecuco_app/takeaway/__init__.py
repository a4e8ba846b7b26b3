"""What a visitor takes along: code, tables, the report."""
