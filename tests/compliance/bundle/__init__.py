"""Tests of bundles and signatures."""
