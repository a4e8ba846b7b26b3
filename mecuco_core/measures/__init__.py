"""What a point can be given as a number: the table of measures, and what is made from it."""

from mecuco_core.measures.measure import Measure, Place, Scale
from mecuco_core.measures.points import NEEDS, Need, Points
from mecuco_core.measures.table import MEASURES, known_measures, measure_of, measures_at

__all__ = [
    "MEASURES",
    "NEEDS",
    "Measure",
    "Need",
    "Place",
    "Points",
    "Scale",
    "known_measures",
    "measure_of",
    "measures_at",
]
