"""Features out of columns: levels of categories, scales by what a column is, components."""
