"""Invented nights at the tables: play by the law of a date, or with named breaches of it."""
