"""Every task is made here: scores, maps, measures, analyses."""
