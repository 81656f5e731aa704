"""A first look at every check, in compiled code: what can be said of it without any doubt.

Nearly all checks of an honest night comply. To say so of each takes a fraction of a microsecond
here; those that are surely violated or excused are asked once more, with the events that show it.
Whatever is in doubt goes to the columnar engine.
Without the compiled part (no C compiler was at hand) the columnar engine judges everything: the
results are the same, only later.
"""
