"""`mecuco.show`: the app in a process of its own, on data of the program that calls it."""
