"""The paper's score of every point, in each of its modes."""
