"""Tests of reading logs."""
