"""A first look at every check, in compiled code: which ones surely comply.

Nearly all checks of an honest night comply without any doubt. To say so of each takes a fraction of
a microsecond here; what is left goes to the columnar engine, which gives verdict and witnesses.
Without the compiled part (no C compiler was at hand) the columnar engine judges everything: the
results are the same, only later.
"""
