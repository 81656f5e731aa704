"""Tests of the result model and of the pages made from it."""
