"""What a point can be given as a number, and the tables of these."""
