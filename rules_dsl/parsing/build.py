"""Turns what the parser recognised into the syntax tree: the declarations and their clauses."""

from __future__ import annotations

from lark import Token

from rules_dsl import syntax as s
from rules_dsl.parsing.build_expressions import ExpressionBuilder, as_phrase
from rules_dsl.parsing.keywords import no_name_for_a_value
from rules_dsl.parsing.lines import LineProblem, read_event_line, read_table_row
from rules_dsl.parsing.recognised import (
    Children,
    Tail,
    is_token,
    names_in,
    nodes_in,
    span_of,
    words_of,
)


def _text(children: Children) -> str:
    """Consecutive quoted texts are one text, so that long ones can be broken over lines."""
    pieces = [str(child[1:-1]) for child in children if is_token(child, "STRING")]
    # Blanks at a line break are layout: exactly one belongs between two pieces.
    return pieces[0] if len(pieces) == 1 else " ".join(piece.strip() for piece in pieces)


def _word_as_name(word: Token) -> LineProblem:
    """`define few(first) = ...`: in its own definition, `first` would not be read as a name."""
    return LineProblem(
        "syntax",
        f"`{word}` is a word of the rule language, and cannot be a name.",
        span_of([word]),
        f"write `the_{word}` or the like",
    )


class Builder(ExpressionBuilder):
    """Called by the parser for each declaration and clause as soon as it is complete."""

    # ---- declarations

    def file(self, c: Children) -> s.File:
        return s.File(tuple(c), span=span_of(c) if c else s.NOWHERE)

    def rulebook_decl(self, c: Children) -> s.Rulebook:
        zone = c[3][1:-1] if len(c) > 2 else None
        return s.Rulebook(c[1][1:-1], zone, span=span_of(c))

    def chapter_decl(self, c: Children) -> s.Chapter:
        return s.Chapter(c[1][1:-1], str(c[3]), _text(c[4:]), span=span_of(c))

    def section_decl(self, c: Children) -> s.Section:
        return s.Section(c[1][1:-1], nodes_in(c, s.Expr), nodes_in(c, s.Given), span=span_of(c))

    def applies_when(self, c: Children) -> s.Expr:
        condition: s.Expr = c[1]
        return condition

    def use_decl(self, c: Children) -> s.Use:
        return s.Use(c[1][1:-1], span=span_of(c))

    def interval_decl(self, c: Children) -> s.Interval:
        return s.Interval(str(c[1]), c[3], c[5], span=span_of(c))

    def events_decl(self, c: Children) -> s.EventGroup:
        where = c[5] if len(c) > 4 else None
        return s.EventGroup(str(c[1]), c[3].events, where, span=span_of(c))

    def event_names(self, c: Children) -> s.Head:
        return s.Head(names_in(c), span=span_of(c))

    def define_decl(self, c: Children) -> s.Define:
        params = c[2].events if isinstance(c[2], s.Head) else ()
        return s.Define(str(c[1]), params, c[-1], span=span_of(c))

    def params(self, c: Children) -> s.Head:
        for name in c:
            if is_token(name, "NAME") and no_name_for_a_value(name):
                raise _word_as_name(name)
        return s.Head(names_in(c), span=span_of(c))

    def table_decl(self, c: Children) -> s.Table:
        rows = [read_table_row(str(t), t.start_pos or 0) for t in c if is_token(t, "TABLE_ROW")]
        return s.Table(str(c[1]), _text(c), rows[0], tuple(rows[1:]), span=span_of(c))

    def setting_decl(self, c: Children) -> s.Setting:
        return s.Setting(str(c[1]), c[3], _text(c[4:]), span=span_of(c))

    def interpretation_decl(self, c: Children) -> s.Interpretation:
        cites = nodes_in(c, s.Cite)
        return s.Interpretation(
            str(c[1]),
            _text(c),
            cites[0].citations if cites else (),
            nodes_in(c, s.Reading),
            span=span_of(c),
        )

    def reading(self, c: Children) -> s.Reading:
        return s.Reading(str(c[1]), _text(c), is_token(c[-1], "DEFAULT"), span=span_of(c))

    def profile_decl(self, c: Children) -> s.Profile:
        return s.Profile(str(c[1]), _text(c), nodes_in(c, s.Choice), span=span_of(c))

    def choose_reading(self, c: Children) -> s.Choice:
        return s.Choice("reading", str(c[2]), self.literal_word(c[4:]), span=span_of(c))

    def choose_setting(self, c: Children) -> s.Choice:
        return s.Choice("setting", str(c[2]), c[4], span=span_of(c))

    def template_decl(self, c: Children) -> s.Template:
        params = c[2].events if len(c) > 2 and isinstance(c[2], s.Head) else ()
        return s.Template(str(c[1]), params, nodes_in(c, s.Clause), span=span_of(c))

    def rule_decl(self, c: Children) -> s.Rule:
        template, arguments = None, ()
        if len(c) > 2 and isinstance(c[2], Tail):
            template, arguments = c[2].name, c[2].value
        return s.Rule(str(c[1]), nodes_in(c, s.Clause), template, arguments, span=span_of(c))

    def uses_template(self, c: Children) -> Tail:
        return Tail(str(c[1]), nodes_in(c, s.Argument), span_of(c))

    def argument(self, c: Children) -> s.Argument:
        return s.Argument(str(c[0]), c[2], span=span_of(c))

    # ---- clauses

    def title(self, c: Children) -> s.Title:
        return s.Title(_text(c), span=span_of(c))

    def cite(self, c: Children) -> s.Cite:
        return s.Cite(tuple(t.name for t in nodes_in(c, Tail)), span=span_of(c))

    def citation(self, c: Children) -> Tail:
        text = c[0][1:-1] if is_token(c[0], "STRING") else words_of(c[0])
        return Tail(text, None, span_of(c))

    def in_force(self, c: Children) -> s.InForce:
        return s.InForce(str(c[2]), str(c[4]) if len(c) > 3 else None, span=span_of(c))

    def not_in_force(self, c: Children) -> s.NotInForce:
        return s.NotInForce(str(c[2]), str(c[4]), _text(c), span=span_of(c))

    def edition(self, c: Children) -> s.EditionStart:
        dates = [str(t) for t in c if is_token(t, "DATE")]
        until = dates[1] if len(dates) > 1 else None
        return s.EditionStart(dates[0], until, _text(c), span=span_of(c))

    def severity(self, c: Children) -> s.Severity:
        return s.Severity(str(c[1]), span=span_of(c))

    def kind(self, c: Children) -> s.KindOf:
        return s.KindOf(str(c[1]), span=span_of(c))

    def for_each(self, c: Children) -> s.ForEach:
        return s.ForEach(nodes_in(c, s.Key), span=span_of(c))

    def key(self, c: Children) -> s.Key:
        return s.Key(str(c[-1]), len(c) > 1, span=span_of(c))

    def when(self, c: Children) -> s.When:
        return s.When(as_phrase(c[1]), span=span_of(c))

    def when_first(self, c: Children) -> s.When:
        return s.When(as_phrase(c[2]), first=True, span=span_of(c))

    def when_ends(self, c: Children) -> s.WhenEnds:
        return s.WhenEnds(str(c[1]), span=span_of(c))

    def let(self, c: Children) -> s.Let:
        if no_name_for_a_value(c[1]):
            raise _word_as_name(c[1])
        return s.Let(str(c[1]), c[3], span=span_of(c))

    def only_if(self, c: Children) -> s.OnlyIf:
        return s.OnlyIf(c[1], span=span_of(c))

    def require(self, c: Children) -> s.Require:
        return s.Require(c[1], span=span_of(c))

    def forbid(self, c: Children) -> s.Forbid:
        return s.Forbid(c[1], span=span_of(c))

    def exception(self, c: Children) -> s.Except:
        return s.Except(c[2].name, c[4], span=span_of(c))

    def counter_exception(self, c: Children) -> s.ButNot:
        return s.ButNot(c[2].name, c[4], span=span_of(c))

    def say(self, c: Children) -> s.Say:
        return s.Say(_text(c), span=span_of(c))

    def remedy(self, c: Children) -> s.Remedy:
        return s.Remedy(_text(c), span=span_of(c))

    def note(self, c: Children) -> s.Note:
        return s.Note(_text(c), span=span_of(c))

    def example(self, c: Children) -> s.Example:
        dates = nodes_in(c, Tail)
        if len(dates) > 1:
            raise LineProblem(
                "syntax",
                "The day of this example is said twice.",
                dates[1].span,
                "keep one of the two lines that begin with `on`",
            )
        return s.Example(
            str(c[1]),
            _text(c),
            dates[0].name if dates else None,
            nodes_in(c, s.Given),
            nodes_in(c, s.EventLine),
            span=span_of(c),
        )

    def on_date(self, c: Children) -> Tail:
        return Tail(str(c[1]), None, span_of(c))

    def given_option(self, c: Children) -> s.Given:
        return s.Given("option", str(c[2]), c[4], span=span_of(c))

    def given_reading(self, c: Children) -> s.Given:
        return s.Given("reading", str(c[2]), self.literal_word(c[4:]), span=span_of(c))

    def given_setting(self, c: Children) -> s.Given:
        return s.Given("setting", str(c[2]), c[4], span=span_of(c))

    def event_line(self, c: Children) -> s.EventLine:
        return read_event_line(str(c[0]), c[0].start_pos)
