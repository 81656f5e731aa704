"""Tests of the messages about nights."""
