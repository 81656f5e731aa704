"""The files between two nights: what the last check kept, and what this one keeps for the next."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from compliance.api.refusal import Refused
from compliance.checking.nights import Nights
from compliance.checking.nights_file import NightsOrigin, read_nights
from compliance.checking.rulebook_identity import rulebook_hash
from compliance.table_check.settings import Settings


@dataclass(frozen=True)
class NightFiles:
    """Where to read and write what is kept between two nights, if anywhere."""

    state: Path | None = None
    """Read if it is there, and replaced in the end."""
    after: Path | None = None
    """Only read; it must be there."""
    keep: Path | None = None
    """Only written."""

    @property
    def asked(self) -> bool:
        """Whether anything is kept between nights at all."""
        return not (self.state is None and self.after is None and self.keep is None)

    def refuse_contradictions(self, *, part_of_log: bool) -> None:
        """Say what does not go together."""
        if self.state is not None and not (self.after is None and self.keep is None):
            raise Refused("--state reads and writes one file; leave out --after and --keep.")
        if self.asked and part_of_log:
            raise Refused(
                "--state, --after and --keep need whole logs: leave out --from, --until and "
                "--table."
            )

    @property
    def before(self) -> Path | None:
        """The file of the night before, if there is one."""
        if self.state is not None and self.state.exists():
            return self.state
        return self.after

    def read(self, made: NightsOrigin) -> Nights | None:
        """What the last check kept; an empty beginning where there was none."""
        if self.before is None:
            return Nights() if self.asked else None
        nights, problem = read_nights(self.before, made)
        if nights is None:
            raise Refused(f"{problem}")
        return nights


def origin_of(settings: Settings) -> NightsOrigin:
    """By what a check is made."""
    # The order of the event types counts as well: events are kept by their place in it.
    names = [settings.schema.fingerprint, *settings.schema.events]
    chosen = [str(item) for item in settings.options.chosen]
    for casino, manifest in settings.manifests.by_casino.items():
        recorded = {event: sorted(fields) for event, fields in sorted(manifest.fields.items())}
        more = [
            sorted(manifest.partly),
            sorted(manifest.never),
            sorted(manifest.impossible),
            *manifest.games,
            str(manifest.always),
        ]
        chosen.append(json.dumps([casino, recorded, more]))
    chosen.append(settings.rulebook.law_of or "")
    rules = rulebook_hash(settings.rulebook)
    return NightsOrigin(rules, _proof(names), settings.profile or "", _proof(chosen))


def _proof(texts: list[str]) -> str:
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()
