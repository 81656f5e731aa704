"""Tests of the archive of nights."""
