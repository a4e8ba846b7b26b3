"""What the teaching pages share."""
