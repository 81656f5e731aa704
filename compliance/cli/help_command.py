"""`compliance help CODE`: the page that explains a message, in the terminal."""

from __future__ import annotations

import re
from pathlib import Path

import rules_dsl
from compliance.api.refusal import unknown
from compliance.cli.screen import Column, Screen, Styled
from event_schemas import did_you_mean

_INSTALLED = Path(rules_dsl.__file__).parent / "diagnostic_pages"
_IN_THE_TREE = Path(rules_dsl.__file__).parents[1] / "docs" / "diagnostics"
_ROW = re.compile(r"^\| \[([a-z-]+)\]\([^)]*\) \| (\w+) \| ([^|]+) \|$", re.M)


def pages() -> Path:
    """Where the pages lie: in an installation beside the rule language, in the tree under docs."""
    return _INSTALLED if _INSTALLED.is_dir() else _IN_THE_TREE


def show_help(code: str | None, form: str) -> int:
    """Show one page, or list all of them."""
    screen = Screen()
    index = _ROW.findall((pages() / "README.md").read_text("utf-8"))
    if code is None:
        _list(screen, index, form)
        return 0
    known = {name: (level, says) for name, level, says in index}
    if code not in known:
        near = {name.replace("-", "_"): name for name in known}
        close = near.get(did_you_mean(code.replace("-", "_"), near) or "")
        raise unknown("message", code, close, "`compliance help`")
    text = (pages() / f"{code}.md").read_text("utf-8")
    if form == "json":
        level, says = known[code]
        page = {"code": code, "level": level, "says": says, "text": text}
        screen.json({"schema_version": "1", "pages": [page]})
    else:
        _show(screen, text)
    return 0


def _list(screen: Screen, index: list[tuple[str, str, str]], form: str) -> None:
    if form == "json":
        rows = [{"code": code, "level": level, "says": says} for code, level, says in index]
        screen.json({"schema_version": "1", "pages": [{**row, "text": ""} for row in rows]})
        return
    columns = (Column("code"), Column("level"), Column("what it says", wraps=True))
    screen.table(columns, [(Styled(code, "cyan"), level, says) for code, level, says in index])
    screen.line()
    screen.line("`compliance help CODE` shows a page; `compliance COMMAND --help` helps with one.")


def _show(screen: Screen, text: str) -> None:
    """Headings and rules stand out; the marks that make them do so on a web page go."""
    inside = False
    for line in text.splitlines():
        if line.startswith("```"):
            inside = not inside
        elif inside:
            screen.source(Styled(f"    {line}", "cyan"))
        else:
            heading = line.startswith(("# ", "**"))
            words = re.sub(r"\*\*|^# ", "", line)
            words = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", words)
            screen.line(Styled(words, "bold") if heading else words)
