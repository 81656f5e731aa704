"""Reads logs: files of many formats become typed frames, and what does not fit is set aside."""
