"""Several variants that are played together, of which counts are kept in place of rows."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, ClassVar

from simcli.errors import refusal
from simcli.rules.canonical import resolved, rules_hash
from simcli.rules.variant import Variant
from simcli.runs.plan import Match, part_size

FORMAT = "simcli-summary/1"
PREFIX = "SUMMARY-"
USUAL = ("opener", "loss")  # a name does not tell this frame and outcome
NAMES_LENGTH = 60
HASH_LENGTH = 8
MOST_PARTS = 1000
"""Parts of a stretch, so that their files stay small whatever the number of deals."""
COUNTS = "json.gz"
COUNTS_NAME = re.compile(r"part-(\d{5,})\.json\.gz")


@dataclass(frozen=True)
class JointMatch(Match):
    """Say what is played and counted together: every variant plays the same deals.

    Attributes
    ----------
    variant : Variant
        The baseline, seated.
    others : tuple of Variant
        The other variants, seated at a table of the same size.
    frame, outcome : str
        From where positions count, and what is counted, as `simcli compare` has it.
    """

    others: tuple[Variant, ...]
    frame: str
    outcome: str

    part_ending: ClassVar[str] = COUNTS

    @property
    def variants(self) -> tuple[Variant, ...]:
        """Return all variants, the baseline first."""
        return (self.variant, *self.others)

    @property
    def matches(self) -> tuple[Match, ...]:
        """Return what each variant plays, the baseline's first."""
        return tuple(Match(variant, self.lineup, self.seed, self.session) for variant in self.variants)

    @property
    def tuned(self) -> tuple[str, ...]:
        """Return the sets of weights that bots are set to play by under any of the variants."""
        return tuple(sorted({name for match in self.matches for name in match.tuned}))

    @property
    def folder_name(self) -> str:
        """Return the name of the folder: the baseline, the others in the order of their names, the table."""
        names = "+".join((self.variant.name, *sorted(variant.name for variant in self.others)))
        if len(names) > NAMES_LENGTH:
            mark = hashlib.sha256(names.encode()).hexdigest()[:HASH_LENGTH]
            names = f"{names[: NAMES_LENGTH - HASH_LENGTH - 1]}-{mark}"
        table = super().folder_name.removeprefix(self.variant.name)
        view = [word for word in (self.frame, self.outcome) if word not in USUAL]
        return "-".join((f"{PREFIX}{names}{table}", *view))

    def identity(self) -> dict[str, Any]:
        """Return what decides the counts, as plain data; the order of the others does not."""
        _, *table = super().identity().items()
        return {
            "baseline": self.variant.name,
            "rules": {variant.name: rules_hash(variant) for variant in self.variants},
            "frame": self.frame,
            "outcome": self.outcome,
            **dict(table),
        }

    def described(self) -> dict[str, Any]:
        """Return what a plan says is played, as plain data."""
        variants = [resolved(variant) for variant in self.variants]
        weights = {match.variant.name: match.weights for match in self.matches if match.weights}
        return {
            "format": FORMAT,
            "variants": variants,
            **self.identity(),
            **({"weights": weights} if weights else {}),
        }

    def differences(self, other: Match) -> list[str]:
        """Return in words where another match differs from this one."""
        mine, theirs = self.identity(), other.identity()
        found = []
        for key, value in mine.items():
            there = theirs.get(key)
            if there == value:
                continue
            if key != "rules":
                found.append(f"{key} {there} there, {value} here")
            elif isinstance(there, dict) and there.keys() == value.keys():
                changed = [name for name in value if there[name] != value[name]]
                found.append(f"other rules of {', '.join(changed)}")
            else:
                found.append(f"variants {', '.join(there or ())} there, {', '.join(value)} here")
        return found

    def part_deals(self, deals: int, deals_per_s: float, workers: int) -> int:
        """Return how many deals a part of a stretch holds; a deal is played under every variant."""
        size = part_size(deals, self.session, deals_per_s / len(self.variants), workers)
        least = ceil(deals / MOST_PARTS)
        return max(size, ceil(least / self.session) * self.session)


def refuse_namesakes(variants: Sequence[Variant]) -> None:
    """Raise an `InputError` if two variants have one name: their counts could not be told apart."""
    names = [variant.name for variant in variants]
    for name in names:
        if names.count(name) > 1:
            raise refusal(
                name, "expected one variant of this name, got two with different rules – rename one of them"
            )
