"""Lays rule files out in the one agreed way."""

from rules_dsl.formatting.files import format_expression, format_file, format_source

__all__ = ["format_expression", "format_file", "format_source"]
