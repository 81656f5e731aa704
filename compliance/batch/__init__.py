"""The nightly batch: finds the nights that are due, judges each once, and tells what is new.

settings file -> due nights -> judged night -> store, reports, messages
"""
