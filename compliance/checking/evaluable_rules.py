"""Which rules the sources of a log allow to be judged, and what a reader has to be told about it.

A manifest says what a source records. A rule that can never do without more is not evaluable there
and is not applied; one that needs more in some circumstances is applied, and where they hold, what
is not recorded may have happened. If no check at all could be decided so, it was not evaluable,
either. Without a manifest every rule is
applied, because a log without any burned card may be that of a casino that never burns one; but
what nowhere occurs in the log is named, since nobody has said that the source records it at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from zoneinfo import ZoneInfo

from compliance.judgement.circumstances import Circumstances
from compliance.log.manifest import Manifest, all_of
from compliance.log.mapping import Mapping as LogMapping
from compliance.table_check.impossible_events import lacks_suits, needs_at
from compliance.table_check.needs_of_rulebook import needs_of_edition
from compliance.table_check.rule_walk import Need, needs_listed
from compliance.table_check.settings import Manifests, unsure_across_tables
from reports.verdicts import RuleStatus, Verdict, status_of
from rules_dsl import core


@dataclass(frozen=True)
class RuleChecks:
    """How the checks of one rule ended."""

    counts: Mapping[Verdict, int]
    by_loss: int = 0
    """Of the undetermined ones, those that a lost record left in doubt."""

    @property
    def status(self) -> RuleStatus:
        return status_of(self.counts)

    @property
    def always_violated(self) -> bool:
        """Whether every check found a breach."""
        broken = self.counts.get(Verdict.VIOLATED, 0)
        return broken > 0 and broken == sum(self.counts.values())

    @property
    def none_decided(self) -> bool:
        """Whether all checks are undetermined, and not because of lost records alone."""
        doubtful = self.counts.get(Verdict.UNDETERMINED, 0)
        return doubtful == sum(self.counts.values()) and doubtful > self.by_loss


@dataclass(frozen=True)
class Sources:
    """What is known of the sources of the casinos of a log."""

    manifests: Manifests = field(default_factory=Manifests)
    occurs: Mapping[str, Manifest] = field(default_factory=dict)
    """By casino: what occurs in its log."""
    suits_unknown: bool = False
    """Whether some cards are told without their suits."""
    mapping: LogMapping | None = None
    """How the log was read."""
    in_part_of_casino: bool = False
    """Whether some tables were not read."""

    def status(
        self,
        held: Sequence[core.Edition],
        checks: RuleChecks,
        surroundings: Circumstances,
    ) -> tuple[RuleStatus, str]:
        """The status of a rule with the sources in mind, and what has to be said about them."""
        if self.in_part_of_casino and any(edition.slice.across != "table" for edition in held):
            return (
                RuleStatus.NOT_EVALUABLE,
                "It looks across tables, and only some tables were read from the archive.",
            )
        said: dict[str, list[str]] = {}
        status = checks.status
        without_suits = [
            casino
            for casino in self.occurs
            for edition in held
            if self.suits_unknown
            and lacks_suits(edition, self.mapping, self.manifests.of(casino), surroundings)
        ]
        if without_suits:
            said["The source does not tell the suits of the cards."] = without_suits
            if len(set(without_suits)) == len(self.occurs):
                return RuleStatus.NOT_EVALUABLE, " ".join(said)
        blocked = bool(without_suits)
        for casino in self.occurs:
            if self.manifests.of(casino) is None:
                continue
            for edition in held:
                sentence, missing = self._by_manifest(edition, casino, checks, surroundings)
                blocked = blocked or missing
                if sentence:
                    said.setdefault(sentence, []).append(casino)
        if blocked and (status is RuleStatus.NOT_EXERCISED or checks.none_decided):
            status = RuleStatus.NOT_EVALUABLE
        everywhere = len(self.occurs)
        sentences = [
            sentence
            if len(set(at)) == everywhere
            else f"{' and '.join(sorted(set(at)))}: {sentence}"
            for sentence, at in said.items()
        ]
        unsaid = self._unsaid(held, status, checks.always_violated, surroundings)
        if unsaid:
            sentences.append(
                f"Nowhere in the log: {needs_listed(unsaid)}. No manifest says whether the source "
                "records that."
            )
        return status, " ".join(sentences)

    def wanted(self, held: Sequence[core.Edition], surroundings: Circumstances) -> frozenset[Need]:
        """What a rule lacks at the sources of the log."""
        known = [self.manifests.of(casino) for casino in self.occurs]
        return frozenset(
            need
            for manifest in known
            if manifest is not None
            for edition in held
            for need in (
                *needs_at(edition, manifest, surroundings).wanted(manifest),
                *unsure_across_tables(edition, manifest, surroundings),
            )
        )

    def _by_manifest(
        self,
        edition: core.Edition,
        casino: str,
        checks: RuleChecks,
        surroundings: Circumstances,
    ) -> tuple[str, bool]:
        """What has to be said of an edition, and whether the source is the reason if nothing could
        be decided."""
        manifest = self.manifests.of(casino)
        assert manifest is not None
        needed = needs_at(edition, manifest, surroundings)
        blocking = needed.blocking(manifest)
        if blocking:
            return f"The source does not record {needs_listed(blocking)}.", True
        across = unsure_across_tables(edition, manifest, surroundings)
        if across:
            ever = "always " if any(manifest.records(need.event) for need in across) else ""
            return f"The source does not {ever}record {needs_listed(across)}.", True
        missing = set(needed.unrecorded(manifest))
        in_doubt = tuple(sorted(missing - needed.excusing))
        if in_doubt and checks.none_decided:
            return f"The source does not record {needs_listed(in_doubt)}.", True
        if missing and checks.status is RuleStatus.UNDETERMINED:
            listed = needs_listed(sorted(missing))
            return f"Undetermined where it hangs on {listed}, which is not recorded.", False
        unseen = needed.unseen_triggers(manifest)
        if unseen:
            sentence = f"Not checked at {needs_listed(unseen)}, which the source does not record."
            return sentence, False
        return "", False

    def _unsaid(
        self,
        held: Sequence[core.Edition],
        status: RuleStatus,
        always_violated: bool,
        surroundings: Circumstances,
    ) -> tuple[Need, ...]:
        """What a rule needs, no manifest speaks of, and the log never shows, where it matters."""
        seen = self._seen
        if seen is None:
            return ()
        found: set[Need] = set()
        for edition in held:
            needed = needs_of_edition(edition, surroundings)
            if status is RuleStatus.NOT_EXERCISED:
                if len(needed.unseen_triggers(seen)) == len(needed.triggers):
                    found |= {Need(name) for name in needed.triggers}
            elif status is RuleStatus.UNDETERMINED:
                found |= {need for need in needed.unrecorded(seen) if need.field}
            elif always_violated:
                found |= {need for need in needed.required if not seen.records(need.event)}
        return tuple(sorted(found))

    @cached_property
    def _seen(self) -> Manifest | None:
        """What occurs in the logs that no manifest speaks of; None where there is no such log."""
        silent = [occurs for casino, occurs in self.occurs.items() if not self.manifests.of(casino)]
        return all_of(silent) if silent else None

    def notes(self, time_zone: str, times: Iterable[tuple[str, datetime]]) -> Iterator[str]:
        """What a reader has to know. `times` are moments of each casino's log, as written."""
        silent = [casino for casino in self.occurs if self.manifests.of(casino) is None]
        if silent:
            where = "" if len(silent) == len(self.occurs) else f" at {', '.join(sorted(silent))}"
            yield (
                f"No manifest says what the source records{where}: that was inferred from what "
                "occurs in the log. Every rule was applied; a rule may seem broken, or never "
                "exercised, because the source does not record what it needs."
            )
        for casino, manifest in self.manifests.by_casino.items():
            if casino is not None and casino not in self.occurs:
                yield f"The manifest of {manifest.title} is about {casino}, which the log is not."
            if manifest.zone is not None and manifest.zone != time_zone:
                yield (
                    f"The manifest of {manifest.title} names the zone {manifest.zone}; the days "
                    f"of the rulebook begin at midnight in {time_zone}."
                )
        for casino in sorted({casino for casino, ts in times if self._elsewhere(casino, ts)}):
            yield (
                f"The times of {casino} are not all written with the offset of the zone that its "
                "manifest names: see that they are right."
            )

    def _elsewhere(self, casino: str, ts: datetime) -> bool:
        """Whether a time is written with another offset than that of the casino's zone."""
        manifest = self.manifests.of(casino)
        if manifest is None or manifest.zone is None:
            return False
        return ts.astimezone(ZoneInfo(manifest.zone)).utcoffset() != ts.utcoffset()
