"""An experiment: a question, the variants that answer it, and the tables they are played at."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from simcli.analysis.rows import Frame, Outcome
from simcli.analysis.verdict import MARGIN
from simcli.rules.options import Value
from simcli.rules.variant import NAME_LENGTH, NAME_PATTERN, Block, Variant
from simcli.runs.plan import MAX_SEED, MAX_SESSION
from simcli.runs.stopping import StoppingRule

DEFAULT_DEALS = 100_000
Crossing = Literal["crossed", "one_at_a_time"]


class Experiment(Block):
    """Hold an experiment, complete and checked: the variants that its file names are loaded."""

    name: str = Field(
        max_length=NAME_LENGTH,
        pattern=NAME_PATTERN,
        description="Identifier of the experiment: letters, digits, - and _.",
    )
    title: str = Field("", max_length=200, description="Title for people.")
    question: str = Field(max_length=300, description="What people want to know, as one line.")
    variants: tuple[Variant, ...] = Field(
        (),
        description="Variants to compare: names, paths from this file, or blocks as in a variant file.",
    )
    baseline: str | None = Field(
        None,
        description="Name of the variant that the others are compared with; by default base, else classic if "
        "it is among the variants, else the first.",
    )
    pairs: tuple[tuple[Variant, Variant], ...] = Field(
        (),
        description="In place of variants: pairs, of which the second is compared with the first.",
    )
    base: Variant | None = Field(
        None, description="The variant that vary and bridge start from; classic by default."
    )
    vary: dict[str, tuple[Value, ...]] = Field(
        {},
        description="Options as dotted keys, each with a list of values, or with the word every for all of "
        "them: variants that differ from base in these.",
    )
    design: Crossing = Field(
        "crossed",
        description="Whether the options of vary are combined, every value with every other, or changed one "
        "at a time.",
    )
    bridge: tuple[Variant, ...] = Field(
        (),
        description="Variants to be explained: base with each single option of theirs, and each of them with "
        "a single option as in base.",
    )
    players: tuple[int, ...] = Field(
        (), description="Table sizes; by default each variant is played at its own."
    )
    bots: tuple[str, ...] = Field(
        ("thrifty",), description="Line-ups: one bot for all seats, or one for each, with commas."
    )
    rotate: bool = Field(
        False,
        description="Whether every line-up is played in all its rotations, a run each: they count as one, "
        "and skill is measured.",
    )
    deals: int = Field(
        DEFAULT_DEALS,
        description="Deals of each variant, table size and line-up (or rotation); 200k is a number.",
    )
    until_half_width: float | None = Field(
        None,
        description="In place of deals: play until every 95 % interval of the tables is ± so many points "
        "wide, such as 0.1pp.",
    )
    max_deals: int | None = Field(None, description="With until_half_width: deals at most.")
    seed: int = Field(1, ge=0, le=MAX_SEED, description="Seed of everything random.")
    session: int = Field(1, ge=1, le=MAX_SESSION, description="Deals in a session: the loser deals the next.")
    margin: float = Field(
        MARGIN, description="Smallest difference that anybody would notice, in points, such as 0.5pp."
    )
    frame: Frame = Field("opener", description="From where positions count.")
    outcome: Outcome | None = Field(
        None,
        description="What is counted for all; by default who loses, and who is out first where the first to "
        "leave wins.",
    )
    adjust: Literal["trumps"] | None = Field(
        None, description="Whether to add what remains when all positions hold equal trumps."
    )

    @property
    def heading(self) -> str:
        """Return the title, or the name of an experiment without one."""
        return self.title or self.name

    @property
    def rule(self) -> StoppingRule | None:
        """Return the rule by which the runs stop, None where the number of deals is given."""
        if self.until_half_width is None or self.max_deals is None:
            return None
        return StoppingRule("half-width", self.until_half_width, self.max_deals)

    def with_deals(self, deals: int) -> Experiment:
        """Return the experiment with another number of deals."""
        return self.model_copy(update={"deals": deals, "until_half_width": None, "max_deals": None})
