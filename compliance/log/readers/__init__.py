"""Readers of the formats that a log can come in; each gives raw records some at a time."""
