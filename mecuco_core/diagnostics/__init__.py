"""What a score is worth: agreement, stability, boundary, bases, coordinates, ground truth."""
