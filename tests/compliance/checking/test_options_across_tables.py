"""What the licensee chose for a table also counts in rules that look at several tables."""

from __future__ import annotations

from pathlib import Path

from compliance.log.table_options import load_table_options
from tests.compliance.checked_logs import SCHEMA, book, checked, night, outcome


def test_rules_across_tables_see_the_options_of_each_table(tmp_path: Path) -> None:
    rules = """
rulebook "Small rules" time zone "America/New_York"

rule few-decks
  "A dealer who arrives finds at most six decks."
  cite "Example"
  for each casino
  when dealer_arrived
  require option decks is at most 6
"""
    log = night(
        tmp_path / "night.jsonl",
        "T1 0:00 dealer_arrived dealer=D1\nT2 0:01 dealer_arrived dealer=D2",
    )
    file = tmp_path / "options.toml"
    file.write_text('[tables."*"]\ndecks = 6\n[tables.T2]\ndecks = 8\n', encoding="utf-8")
    options, _ = load_table_options(file, SCHEMA)
    found = outcome(checked([log], book(rules), options=options), "few-decks")
    assert [item.where["table"] for item in found.findings] == ["T2"]
    assert found.counts.complied == 1
