"""The words of the `compliance` command: its commands, their options and their help.

Each command imports what it needs when it runs, so that help and mistakes come at once.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Parameter

from compliance.cli.archive_words import archive_app
from compliance.cli.batch_words import batch, init
from compliance.cli.bundle_words import bundle
from compliance.cli.check_words import CheckWords, Outputs
from compliance.cli.feed_words import manifest_app, mapping_app
from compliance.cli.saved_results import report, verify
from compliance.cli.simulate import simulate
from compliance.cli.store_words import audit_app, findings_app, waivers_app
from rules_dsl.bundled import bundled_rulebook


def _version() -> str:
    from importlib.metadata import version

    return version("table-compliance")


app = App(
    name="compliance",
    help="""Replays the event logs of casino table games against gaming law.

Exit codes: 0 clean, 1 violations or failed examples, 2 bad usage or input,
3 bad rules, 4 internal error (--debug shows its traceback),
5 no violation found, but the evidence does not support a clean verdict.""",
    version=_version,
    help_format="plaintext",
)
schema_app = App(name="schema", help="The vocabulary that logs and rules are written in.")
rules_app = App(name="rules", help="Check, lay out, test and explain rule files.")
app.command(schema_app)
app.command(rules_app)
app.command(manifest_app)
app.command(mapping_app)
app.command(archive_app)

Format = Annotated[
    Literal["text", "json"],
    Parameter(help="text to read, or json with the keys listed in docs/command-line.md."),
]
SchemaFile = Annotated[
    Path | None, Parameter(help="A TOML file with your own event types, enums and options.")
]
Flag = Parameter(negative=(), show_default=False)
RulePaths = Annotated[
    list[str],
    Parameter(name="PATH", help="Rule files, folders of them, or nj: the bundled law."),
]
BookPaths = Annotated[
    list[str] | None,
    Parameter(name="PATH", help="Rule files, or folders of them; nj, the bundled law, if none."),
]


# ---- schema --------------------------------------------------------------------------------


@schema_app.command(name="list")
def schema_list(*, schema: SchemaFile = None, format: Format = "text") -> int:
    """List all event types by subject, the enums and the licensee's options."""
    from compliance.cli.schema_commands import list_schema

    return list_schema(schema, format)


@schema_app.command(name="show")
def schema_show(
    name: Annotated[str, Parameter(name="NAME", help="An event type, enum or option.")],
    /,
    *,
    schema: SchemaFile = None,
    format: Format = "text",
) -> int:
    """Show one event type with its fields, one enum or one option."""
    from compliance.cli.schema_commands import show_schema

    return show_schema(name, schema, format)


@schema_app.command(name="export")
def schema_export(
    name: Annotated[
        str | None, Parameter(name="NAME", help="An event type; all of them if left out.")
    ] = None,
    /,
    *,
    schema: SchemaFile = None,
    format: Annotated[
        Literal["json"], Parameter(help="JSON Schema is always written as json.")
    ] = "json",
) -> int:
    """Write the JSON Schema of a log record."""
    from compliance.cli.schema_commands import export_schema

    return export_schema(name, schema)


@schema_app.command(name="result")
def schema_result(
    *,
    format: Annotated[
        Literal["json"], Parameter(help="JSON Schema is always written as json.")
    ] = "json",
) -> int:
    """Write the JSON Schema of what `check --format json` answers."""
    from compliance.cli.schema_commands import export_result_schema

    return export_result_schema()


@schema_app.command(name="page")
def schema_page(*, schema: SchemaFile = None) -> int:
    """Write the whole vocabulary as a page in Markdown, as docs/vocabulary.md is."""
    from compliance.cli.vocabulary_page import write_page

    return write_page(schema)


# ---- rules ---------------------------------------------------------------------------------


@rules_app.command(name="check")
def rules_check(
    paths: RulePaths,
    /,
    *,
    strict: Annotated[bool, Flag, Parameter(help="Let warnings fail the check too.")] = False,
    schema: SchemaFile = None,
    format: Format = "text",
) -> int:
    """Say everything that is wrong with rule files."""
    from compliance.cli.rules_check import check_rules

    return check_rules(paths, schema, strict, format)


@rules_app.command(name="fmt")
def rules_fmt(
    paths: RulePaths,
    /,
    *,
    check: Annotated[
        bool, Flag, Parameter(help="Write nothing; exit 1 if a file would change.")
    ] = False,
    diff: Annotated[bool, Flag, Parameter(help="Write nothing; show what would change.")] = False,
    format: Format = "text",
) -> int:
    """Lay rule files out in the one agreed way. A file with syntax errors is left alone."""
    from compliance.cli.rules_fmt import format_rules

    return format_rules(paths, check, diff, format)


@rules_app.command(name="test")
def rules_test(
    paths: RulePaths,
    /,
    *,
    rule: Annotated[
        list[str] | None,
        Parameter(help="Only this rule, every example shown; may be repeated.", negative=()),
    ] = None,
    mutants: Annotated[
        bool, Flag, Parameter(help="Also change each rule a little and see if an example notices.")
    ] = False,
    suggest: Annotated[
        bool, Flag, Parameter(help="Also show the examples that would notice those changes.")
    ] = False,
    write: Annotated[
        bool, Flag, Parameter(help="Put these examples below their rules, in the files themselves.")
    ] = False,
    schema: SchemaFile = None,
    format: Format = "text",
) -> int:
    """Run the examples of the rules, and say which conditions none of them exercises."""
    from compliance.cli.rules_test import TestRequest, test_rules

    asked = TestRequest(mutants or suggest or write, suggest or write, write)
    return test_rules(paths, rule or (), schema, asked, format)


@rules_app.command(name="try")
def rules_try(
    paths: RulePaths,
    /,
    *,
    date: Annotated[
        str, Parameter(help="The day on which the nights play, as in 2010-03-06.")
    ] = "2010-03-06",
    tables: Annotated[int, Parameter(help="How many tables.")] = 6,
    rounds: Annotated[int, Parameter(help="How many rounds each table plays.")] = 40,
    seed: Annotated[int, Parameter(help="Another seed gives other nights.")] = 1,
    schema: SchemaFile = None,
    format: Format = "text",
) -> int:
    """Try rules on a lawful invented night, where they should find nothing, and a breached one."""
    from compliance.cli.rules_try import NightRequest, try_rules

    return try_rules(paths, schema, NightRequest(date, tables, rounds, seed), format)


@rules_app.command(name="explain")
def rules_explain(
    name: Annotated[str, Parameter(name="NAME", help="The name of a rule.")],
    paths: BookPaths = None,
    /,
    *,
    formula: Annotated[bool, Flag, Parameter(help="Show the formula alone.")] = False,
    plan: Annotated[
        bool, Flag, Parameter(help="Show how the engine runs the rule, and what rules share.")
    ] = False,
    on: Annotated[
        str | None, Parameter(help="Only the edition in force on this day, as in 2008-03-08.")
    ] = None,
    schema: SchemaFile = None,
    format: Format = "text",
) -> int:
    """Say what a rule asks, in plain English and as a formula, with its citations and dates."""
    from compliance.cli.rules_explain import explain_rule

    return explain_rule(name, paths or [bundled_rulebook()], schema, formula, plan, on, format)


@rules_app.command(name="list")
def rules_list(
    paths: BookPaths = None, /, *, schema: SchemaFile = None, format: Format = "text"
) -> int:
    """List rules with their titles, citations, severity, dates and number of examples."""
    from compliance.cli.rules_list import list_rules

    return list_rules(paths or [bundled_rulebook()], schema, format)


@rules_app.command(name="coverage")
def rules_coverage(
    rules: Annotated[
        list[str] | None,
        Parameter(help="Rulebook folders; nj, the bundled law, if none.", negative=()),
    ] = None,
    *,
    game: Annotated[str | None, Parameter(help="Only clauses of this game.")] = None,
    section: Annotated[str | None, Parameter(help="Only this section, as in 19:47-2.6.")] = None,
    text: Annotated[str | None, Parameter(help="Only what this text prints, as in 2010.")] = None,
    missing: Annotated[bool, Flag, Parameter(help="Show only what has no rule yet.")] = False,
    mutated: Annotated[
        bool, Flag, Parameter(help="Spoil lawful nights, show what no rule finds: minutes.")
    ] = False,
    sample: Annotated[bool, Flag, Parameter(help="With --mutated: only some nights.")] = False,
    schema: SchemaFile = None,
    format: Format = "text",
) -> int:
    """Show which clauses of the law have a rule, which have a reason, and which have neither."""
    from compliance.cli.rules_coverage import CoverageRequest, cover_clauses

    asked = CoverageRequest(
        rules or [bundled_rulebook()],
        schema,
        game,
        section,
        text,
        missing=missing,
        mutated=mutated,
        sample=sample,
        form=format,
    )
    return cover_clauses(asked)


# ---- logs ----------------------------------------------------------------------------------


@app.command(name="check")
def check(
    logs: Annotated[
        list[str] | None,
        Parameter(name="LOG", help="Log files, folders or patterns; - for standard input."),
    ] = None,
    /,
    *,
    words: CheckWords | None = None,
) -> int:
    """Check logs of any size against the law in force on the date of each event."""
    from compliance.cli.check_command import check_logs

    return check_logs(logs or (), words or CheckWords())


@app.command(name="diff")
def diff(
    old: Annotated[Path, Parameter(name="OLD", help="The earlier result, saved as JSON.")],
    new: Annotated[Path, Parameter(name="NEW", help="The later one.")],
    /,
    *,
    format: Annotated[
        Literal["text", "json", "html"] | None,
        Parameter(help="What to write, text if neither this nor -o tells it."),
    ] = None,
    output: Outputs = None,
) -> int:
    """Say which findings are new, gone and unchanged; exit with 1 if a violation is new."""
    from compliance.cli.diff_command import diff_runs

    return diff_runs(old, new, format, output or ())


app.command(init)
app.command(batch)
app.command(findings_app)
app.command(waivers_app)
app.command(audit_app)
app.command(report)
app.command(bundle)
app.command(verify)
app.command(simulate)


@app.command(name="breaches")
def breaches(*, format: Format = "text") -> int:
    """List the breaches that `simulate --violations` knows, and the rule that finds each."""
    from compliance.cli.breaches_command import list_breaches

    return list_breaches(format)


@app.command(name="help")
def help_page(
    code: Annotated[
        str | None,
        Parameter(name="CODE", help="The code in brackets after a message, as unknown-event."),
    ] = None,
    /,
    *,
    format: Format = "text",
) -> int:
    """Explain a message about rules: what it means, what to avoid and what to write instead."""
    from compliance.cli.help_command import show_help

    return show_help(code, format)


# ---- demo ----------------------------------------------------------------------------------


@app.command(name="demo")
def demo(
    *,
    output: Annotated[
        Path, Parameter(name=("--output", "-o"), help="Where to write the report.")
    ] = Path("compliance-report.html"),
    format: Format = "text",
) -> int:
    """Check an invented night against the law of New Jersey and write its report."""
    from compliance.cli.demo_command import run_demo

    return run_demo(output, format)
