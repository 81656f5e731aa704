"""Tests of the checker and of its command line."""
