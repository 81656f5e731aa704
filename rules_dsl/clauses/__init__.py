"""The clause map: every clause of the law, with the rules that cover it or why no log can show it.

It lies beside the rules of a rulebook, in a folder `clauses`; docs/clauses.md describes its files.
"""

from rules_dsl.clauses.model import KINDS, LEVELS, REASONS, Clause, Text

__all__ = ["KINDS", "LEVELS", "REASONS", "Clause", "Text"]
