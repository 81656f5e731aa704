"""What the parser hands over, piece by piece, before it is put together into the syntax tree."""

from __future__ import annotations

from typing import Any

import msgspec
from lark import Token

from rules_dsl.syntax import Span

Children = list[Any]


class Tail(msgspec.Struct, frozen=True):
    """One addition to something larger, before the larger thing is put together."""

    name: str
    value: Any
    span: Span


def span_of(children: Children) -> Span:
    """From the first to the last character of what was recognised."""
    return Span(_start(children[0]), _end(children[-1]))


def _start(child: Any) -> int:
    return (child.start_pos or 0) if isinstance(child, Token) else int(child.span.start)


def _end(child: Any) -> int:
    return (child.end_pos or 0) if isinstance(child, Token) else int(child.span.end)


def is_token(child: Any, kind: str) -> bool:
    return isinstance(child, Token) and child.type == kind


def words_of(token: Token) -> str:
    return " ".join(token.split())


def names_in(children: Children) -> tuple[str, ...]:
    return tuple(str(child) for child in children if is_token(child, "NAME"))


def nodes_in(children: Children, kind: type) -> tuple[Any, ...]:
    return tuple(child for child in children if isinstance(child, kind))
