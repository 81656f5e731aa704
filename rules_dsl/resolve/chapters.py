"""Parts of the law that are no longer law: the editions that stand in them end with them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from rules_dsl import core, syntax
from rules_dsl.resolve.editions import EditionClauses, read_date
from rules_dsl.resolve.names import Desk


def end_chapter(desk: Desk, node: syntax.Chapter, file: int) -> None:
    """Note from which day on a chapter is no longer law."""
    if read_date(desk, node.until, file, node) is not None:
        place = desk.place(file, node.span)
        desk.symbols.chapters.append(core.Chapter(node.citation, node.until, node.why, place=place))


def end_with_chapters(desk: Desk, editions: Iterable[EditionClauses]) -> None:
    """An edition ends with the last of the chapters that it stands in."""
    for edition in editions:
        cited = edition.last_of(syntax.Cite)
        ends = [_last_chapter(desk, citation) for citation in (cited[0].citations if cited else ())]
        if not ends or None in ends:
            continue
        chapter = max((end for end in ends if end is not None), key=lambda end: end.until)
        end = date.fromisoformat(chapter.until)
        if end <= edition.since:
            desk.report(
                "bad-date",
                f"This begins on {edition.since}, when {chapter.citation} had ended"
                f" ({chapter.until}).",
                edition.file,
                edition.span,
                "cite the text that was law then, or give the day on which it began",
            )
        elif end < edition.until:
            edition.until, edition.ended = end, chapter.told


def _last_chapter(desk: Desk, citation: str) -> core.Chapter | None:
    """The chapter with whose end a paragraph ends; None: it is law without end."""
    holding = [chapter for chapter in desk.symbols.chapters if chapter.holds(citation)]
    return min(holding, key=lambda chapter: chapter.until, default=None)
