"""The inner loops: pure functions on clean arrays, in the paper's letters.

Only numpy and numba are imported here. Each kernel has a short readable version, kept as the oracle
of the compiled one.
"""
