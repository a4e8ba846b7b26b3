"""How long a unit is on the axes of a drawn space."""

import numpy as np


def units(scene):
    """Return the length of a unit on x, y and z, against that on x, from a figure's layout."""
    assert scene["aspectmode"] == "manual"
    sides = [scene["aspectratio"][axis] for axis in "xyz"]
    ranges = [np.ptp(scene[f"{axis}axis"]["range"]) for axis in "xyz"]
    lengths = np.divide(sides, ranges)
    return lengths / lengths[0]
