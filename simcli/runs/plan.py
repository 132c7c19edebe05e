"""The plan of a run: what is played, and which deals each part holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil
from typing import Any, ClassVar

from simcli.bots.lineup import Lineup
from simcli.rules.canonical import differences, resolved, rules_hash
from simcli.rules.variant import Variant
from simcli.runs.stopping import StoppingRule

FORMAT = "simcli-run/1"
DEFAULT_DEALS = 1_000_000
MAX_DEALS = 100_000_000_000
MAX_SEED = 2**63 - 1
MAX_SESSION = 1000

MIN_PART = 20_000
MAX_PART = 1_000_000
PART_S = 10.0
PARTS_PER_WORKER = 4
PARQUET = "parquet"


@dataclass(frozen=True)
class Match:
    """Say what is played, whatever the number of deals: equal matches have equal rows.

    Attributes
    ----------
    variant : Variant
        Seated: its `players` are the number played.
    lineup : Lineup
        The bot of every seat.
    seed : int
        Seed of the packs and of everything else random.
    session : int
        Deals in a session (K).
    """

    variant: Variant
    lineup: Lineup
    seed: int
    session: int

    part_ending: ClassVar[str] = PARQUET
    """What the names of its parts end in."""

    @property
    def players(self) -> int:
        """Return the number of seats."""
        return self.variant.players

    @property
    def is_slow(self) -> bool:
        """Return whether a single deal may take long: a bot looks ahead, or is one of somebody's own."""
        return self.lineup.looks_ahead or bool(self.lineup.own)

    @property
    def rotations(self) -> int:
        """Return in how many rotations of the line-up each pack is played."""
        return 1

    @property
    def cluster(self) -> int:
        """Return how many deals depend on each other: those of a session."""
        return self.session * self.rotations

    @property
    def folder_name(self) -> str:
        """Return the name of the run's folder."""
        chain = f"-k{self.session}" if self.session > 1 else ""
        return f"{self.variant.name}-p{self.players}-{self.lineup.label}{chain}-s{self.seed}"

    @property
    def variants(self) -> tuple[Variant, ...]:
        """Return what is played on every deal: one variant."""
        return (self.variant,)

    def identity(self) -> dict[str, Any]:
        """Return what decides the rows, as plain data."""
        return {
            "rules": rules_hash(self.variant),
            "players": self.players,
            "lineup": self.lineup.text,
            "seed": self.seed,
            "session": self.session,
            **({"own_bots": dict(self.lineup.own)} if self.lineup.own else {}),
        }

    def described(self) -> dict[str, Any]:
        """Return what a plan says is played, as plain data."""
        weights = {"weights": self.weights} if self.weights else {}
        return {"format": FORMAT, "variant": resolved(self.variant), **self.identity(), **weights}

    @property
    def weights(self) -> dict[str, str]:
        """Return by what weights bots play that are set to others than the usual ones."""
        return self.lineup.weights(self.variant)

    @property
    def tuned(self) -> tuple[str, ...]:
        """Return the sets of weights that bots are set to play by."""
        return tuple(sorted(set(self.weights.values())))

    def part_deals(self, deals: int, deals_per_s: float, workers: int) -> int:
        """Return how many deals a part of a stretch of `deals` holds, at so many deals a second."""
        return part_size(deals, self.session, deals_per_s, workers)

    def differences(self, other: Match) -> list[str]:
        """Return in words where another match differs from this one."""
        rules = [
            f"{key} {theirs} there, {ours} here"
            for key, ours, theirs in differences(self.variant, other.variant)
        ]
        theirs_by_key = other.identity()
        table = [
            f"{key} {theirs_by_key[key]} there, {value} here"
            for key, value in self.identity().items()
            if key not in ("rules", "own_bots") and theirs_by_key[key] != value
        ]
        theirs_by_bot = dict(other.lineup.own)
        own = [
            f"the file of {name} has SHA-256 {theirs_by_bot[name][:12]}… there, {ours[:12]}… here"
            for name, ours in self.lineup.own
            if theirs_by_bot.get(name, ours) != ours
        ]
        return rules + table + own


@dataclass(frozen=True)
class Part:
    """Name a range of deals: `first` to `end`, the latter excluded."""

    index: int
    first: int
    end: int
    ending: str = PARQUET

    @property
    def n_deals(self) -> int:
        """Return the number of deals."""
        return self.end - self.first

    @property
    def file_name(self) -> str:
        """Return the name of the part's file."""
        return f"part-{self.index:05d}.{self.ending}"


@dataclass(frozen=True)
class Stretch:
    """Say up to which deal a run was declared, and how many deals a part of that stretch holds.

    Attributes
    ----------
    deals : int
        The declared number; where a rule stopped the run, once it has.
    part_deals : int
        Deals of a part. With a rule parts end at its multiples, wherever the stretch begins.
    rule : StoppingRule or None
        The rule by which it may stop before.
    stopped : bool or None
        Whether the rule ended it; False where all its most deals are to be played; None while that is open.
    """

    deals: int
    part_deals: int
    rule: StoppingRule | None = None
    stopped: bool | None = None

    @property
    def is_open(self) -> bool:
        """Return whether the rule has still to say where the stretch ends."""
        return self.rule is not None and self.stopped is None

    def end_of_part(self, first: int) -> int:
        """Return where the part ends that begins with a deal."""
        end = first + self.part_deals
        if self.rule is not None:
            end = (first // self.part_deals + 1) * self.part_deals
        return min(end, self.deals)


@dataclass(frozen=True)
class Plan:
    """Hold a match, its declared numbers of deals and the engine that plays it.

    A run may be declared longer later; the new stretch is cut into parts of its own, so that the ranges of
    the parts that exist never change.
    """

    match: Match
    stretches: tuple[Stretch, ...]
    engine: dict[str, str]

    @property
    def deals(self) -> int:
        """Return the largest declared number of deals."""
        return self.stretches[-1].deals

    @property
    def declared(self) -> tuple[int, ...]:
        """Return every declared number of deals."""
        return tuple(stretch.deals for stretch in self.stretches)

    def parts(self, deals: int | None = None) -> Iterator[Part]:
        """Yield the parts in order, only those up to a declared number of deals if one is given."""
        index = first = 0
        for stretch in self.stretches:
            if deals is not None and first >= deals:
                return
            while first < stretch.deals:
                end = stretch.end_of_part(first)
                yield Part(index, first, end, self.match.part_ending)
                index, first = index + 1, end

    def extended(self, deals: int, part_deals: int) -> Plan:
        """Return the plan with a further stretch."""
        return replace(self, stretches=(*self.stretches, Stretch(deals, part_deals)))

    @property
    def is_open(self) -> bool:
        """Return whether a rule has still to say where the run ends."""
        return self.stretches[-1].is_open

    @property
    def settled_deals(self) -> int:
        """Return the largest declared number of deals that no rule changes any more; 0 without one."""
        settled = [stretch.deals for stretch in self.stretches if not stretch.is_open]
        return settled[-1] if settled else 0

    def with_rule(self, rule: StoppingRule, part_deals: int) -> Plan:
        """Return the plan with a last stretch that a rule may end, in place of one that is open."""
        settled = tuple(stretch for stretch in self.stretches if not stretch.is_open)
        return replace(self, stretches=(*settled, Stretch(rule.max_deals, part_deals, rule)))

    def settled(self, deals: int, stopped: bool) -> Plan:
        """Return the plan with its open stretch ended, or left out if no deal of it is kept."""
        last = self.stretches[-1]
        if not last.is_open:
            return self
        if deals <= self.settled_deals:
            return replace(self, stretches=self.stretches[:-1])
        return replace(self, stretches=(*self.stretches[:-1], replace(last, deals=deals, stopped=stopped)))

    def looks_before_sequence(self, deals: int) -> int | None:
        """Return how many numbers were declared before a verdict was waited for; None if none was.

        Only what was played up to `deals` counts. A run that was looked at again and again stays such a run,
        however it goes on.
        """
        first = 0
        for index, stretch in enumerate(self.stretches):
            if stretch.rule is not None and stretch.rule.kind == "decided" and first < deals:
                return index
            first = stretch.deals
        return None

    def as_mapping(self) -> dict[str, Any]:
        """Return the plan as plain data, in the order of the file."""
        mapping = {
            **self.match.described(),
            "deals": list(self.declared),
            "part_deals": [stretch.part_deals for stretch in self.stretches],
        }
        stopping = [
            {"deals": stretch.deals, **stretch.rule.as_mapping(), "stopped": stretch.stopped}
            for stretch in self.stretches
            if stretch.rule is not None
        ]
        if stopping:
            mapping["stopping"] = stopping
        return {**mapping, "engine": dict(self.engine)}


def is_one_part(deals: int) -> bool:
    """Return whether a stretch is too short to be cut, however fast it is played."""
    return deals <= MIN_PART


def part_size(deals: int, session: int, deals_per_s: float, workers: int) -> int:
    """Return how many deals a part of a stretch of `deals` holds.

    About ten seconds of play on one core, less where each worker would not get several parts; whole
    sessions, and all parts of a stretch about equal.
    """
    if is_one_part(deals):
        return deals
    target = min(PART_S * deals_per_s, deals / (PARTS_PER_WORKER * workers))
    target = min(max(target, MIN_PART), MAX_PART, deals)
    n_parts = max(1, round(deals / target))
    if n_parts > workers:
        n_parts = ceil(n_parts / workers) * workers
    largest = MAX_PART // session * session
    n_parts = max(min(n_parts, deals // MIN_PART), ceil(deals / largest))
    return ceil(ceil(deals / n_parts) / session) * session
