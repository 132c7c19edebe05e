"""How the numbers of a comparison were measured, in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from simcli.analysis.comparison import Comparison
from simcli.analysis.found import Table

FRAMES = {
    "opener": "Positions count from the opener: 0 opens, 1 defends first.",
    "dealer": "Positions count from the dealer, who is 0.",
    "seat": "Positions are seats as numbered: with equal bots they are exchangeable, whatever the rules.",
}
PAIRINGS = {
    "deal by deal": "deal by deal, over the same packs",
    "session by session": "session by session, over the same packs",
    "pack by pack": "pack by pack, each with its sum over all rotations",
    "independent runs": "between independent runs, as their seeds differ",
}
ROTATION = (
    "Of a rotated line-up every rotation played the same packs, so that each bot sat at every seat. A pack, "
    "not a deal, is what is independent: it counts once, with its mean over the rotations."
)

SIMULATION_ONLY = (
    "Intervals cover simulation error only. How these bots play is taken as given: other players may show "
    "another effect."
)


def merged_lines(measured: Iterable[tuple[Comparison, Table]], family: str = "") -> list[str]:
    """Return how the numbers of several tables were measured, what holds for more than one of them once.

    What a table has of its own stands behind what others have there: the order of `method_lines` stays.
    """
    merged: list[str] = []
    for comparison, table in measured:
        own = list(method_lines(comparison, table, family))
        place = 0
        for line in own:
            if line in merged:
                place = merged.index(line) + 1
                continue
            while place < len(merged) and merged[place] not in own:
                place += 1
            merged.insert(place, line)
            place += 1
    return merged


def method_lines(comparison: Comparison, table: Table, family: str = "") -> Iterator[str]:
    """Yield how a table's numbers were measured, a sentence or two each.

    Parameters
    ----------
    comparison, table
        What was measured.
    family : str
        What the intervals of changes hold for together; by default as they say themselves.
    """
    level = f"{100 * (1 - table.alpha):.4g} %"
    yield FRAMES[comparison.view.frame]
    if table.rotations > 1:
        yield ROTATION
    if table.differences:
        pairings = dict.fromkeys(PAIRINGS[effect.pairing] for effect in table.effects)
        kinds = dict.fromkeys(row.interval.kind for row in table.differences)
        decks = {entry.run.variant.deck for entry in table.runs.entries}
        where = "" if len(decks) == 1 else " where the decks are of one size"
        yield f"Changes are taken {' or '.join(pairings)}{where}."
        yield (
            f"Their intervals ({' or '.join(kinds)}) hold all at once at {level}, "
            f"{family or table.differences[0].interval.family}; the verdicts rest on them alone."
        )
    if table.is_sequential:
        yield (
            "The runs were looked at while they were played, to stop when all was decided. The sequence "
            "allows for any number of looks; the ordinary intervals and tests do not, and are left out."
        )
        yield SIMULATION_ONLY
        return
    kinds = dict.fromkeys(row.interval.kind for row in table.positions if row.interval is not None)
    yield (
        f"Rates ({' or '.join(kinds)}), means and changes of means hold at once within their own table, "
        f"at {level}; medians, 90th percentiles and all others each alone."
    )
    yield (
        f"Runs may be played on for a closer look: look j spends 5 %/(j(j + 1)) of the chance of an error, "
        f"{100 * table.alpha:.2g} % at this one, number {table.look}."
    )
    yield SIMULATION_ONLY
