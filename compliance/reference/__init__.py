"""The reference interpreter: docs/language.md turned into the simplest possible Python.

It is the meaning of the language. It is slow, and it must be obviously right: whatever another
engine says differently is a fault of the other engine.
"""

from compliance.reference.rules import apply_rule

__all__ = ["apply_rule"]
