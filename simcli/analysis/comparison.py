"""A comparison as a whole: its rows as frames, and the JSON of docs/formats.md."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from simcli.analysis.found import BOUNDS, FindingRow, Row, Table
from simcli.analysis.phrases import DRAWN
from simcli.analysis.rows import View

if TYPE_CHECKING:
    import polars as pl

FORMAT = "simcli-comparison/1"

LISTS = (
    "variants",
    "positions",
    "differences",
    "verdicts",
    "measures",
    "effects",
    "lost_shares",
    "fairness",
    "asked",
    "ranking",
    "stages",
    "adjusted",
    "skill",
    "examples",
)
"""The lists of a table, in the order of the JSON."""


@dataclass(frozen=True)
class Comparison:
    """Hold a comparison of finished runs with a baseline.

    The rows of all tables together are polars frames: ``comparison.differences`` and so on.

    Attributes
    ----------
    baseline : str
        Name of the variant that the others are compared with.
    margin : float
        Smallest difference that anybody would notice, as a share of all deals.
    view : View
        What was counted, and from where positions count.
    tables : tuple of Table
        One per table size and line-up.
    findings : tuple of FindingRow
        How the line-ups agree, where there are several.
    notes : tuple of str
        What was left out, and what else has to be said.
    """

    baseline: str
    margin: float
    view: View
    tables: tuple[Table, ...]
    findings: tuple[FindingRow, ...]
    notes: tuple[str, ...]

    @property
    def variants(self) -> pl.DataFrame:
        """The runs that were compared, one row each."""
        return self._frame("variants")

    @property
    def positions(self) -> pl.DataFrame:
        """Rates of all cells with joint intervals."""
        return self._frame("positions")

    @property
    def differences(self) -> pl.DataFrame:
        """Differences of all cells against the baseline."""
        return self._frame("differences")

    @property
    def verdicts(self) -> pl.DataFrame:
        """One verdict a variant."""
        return self._frame("verdicts")

    @property
    def asked(self) -> pl.DataFrame:
        """What each rule does to the positions that were asked about; empty unless some were."""
        return self._frame("asked")

    @property
    def measures(self) -> pl.DataFrame:
        """Means, medians and 90th percentiles of what is counted in a deal."""
        return self._frame("measures")

    @property
    def effects(self) -> pl.DataFrame:
        """How often each rule came into play, and what it did there."""
        return self._frame("effects")

    @property
    def lost_shares(self) -> pl.DataFrame:
        """Shares of the deals that somebody lost."""
        return self._frame("lost_shares")

    @property
    def fairness(self) -> pl.DataFrame:
        """Tests of equal positions."""
        return self._frame("fairness")

    @property
    def ranking(self) -> pl.DataFrame:
        """Variants by their largest difference."""
        return self._frame("ranking")

    @property
    def stages(self) -> pl.DataFrame:
        """Rates among first and later deals of sessions; empty without sessions."""
        return self._frame("stages")

    @property
    def adjusted(self) -> pl.DataFrame:
        """Rates and differences net of the trumps dealt; empty unless asked for."""
        return self._frame("adjusted")

    @property
    def skill(self) -> pl.DataFrame:
        """Skill shares; empty without rotated line-ups."""
        return self._frame("skill")

    @property
    def examples(self) -> pl.DataFrame:
        """Deals in which a rule changed who loses; empty unless asked for."""
        return self._frame("examples")

    def shows(self, cell: str) -> bool:
        """Return whether a cell can happen: where the first to leave is counted no deal is drawn."""
        return not (cell == DRAWN and self.view.outcome == "first_out")

    def long(self) -> pl.DataFrame:
        """Return every number in one frame, one a row: what CSV and Parquet files hold."""
        import polars as pl

        rows = [row for name in LISTS if name not in NO_NUMBERS for row in _long_rows(name, self._rows(name))]
        schema = {name: getattr(pl, dtype) for name, dtype in LONG_SCHEMA.items()}
        return pl.DataFrame(rows, schema=schema, orient="row")

    def with_notes(self, notes: Iterable[str]) -> Comparison:
        """Return the comparison with further notes."""
        return replace(self, notes=(*self.notes, *notes))

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain data (docs/formats.md): null for what is not known, never nan."""
        return {
            "format": FORMAT,
            "baseline": self.baseline,
            "margin": self.margin,
            "frame": self.view.frame,
            "outcome": self.view.outcome,
            **{name: [row.as_mapping() for row in self._rows(name)] for name in LISTS},
            "findings": [finding.as_mapping() for finding in self.findings],
            "notes": list(self.notes),
        }

    def _rows(self, name: str) -> list[Row]:
        return [row for table in self.tables for row in getattr(table, name)]

    def _frame(self, name: str) -> pl.DataFrame:
        import polars as pl

        return pl.DataFrame(
            [flattened(row.as_mapping()) for row in self._rows(name)], infer_schema_length=None
        )


NO_NUMBERS = ("variants", "examples")
LONG_SCHEMA = {
    "table": "String",
    "variant": "String",
    "players": "Int64",
    "lineup": "String",
    "row": "String",
    "quantity": "String",
    "value": "Float64",
    "text": "String",
    "low": "Float64",
    "high": "Float64",
    "level": "Float64",
    "kind": "String",
    "family": "String",
}
OWN_NUMBERS = {
    "positions": "rate",
    "stages": "rate",
    "adjusted": "rate",
    "lost_shares": "share",
    "differences": "difference",
    "ranking": "difference",
    "asked": "difference",
    "measures": "mean",
    "skill": "share",
}
"""The number of a row that its own interval belongs to."""


def _long_rows(table: str, rows: Sequence[Row]) -> Iterable[tuple[Any, ...]]:
    """Yield one row a number, with the interval that belongs to it."""
    for row in rows:
        data = row.as_mapping()
        key = " ".join(
            str(data[name]) for name in ("deals", "cell", "measure") if isinstance(data.get(name), str)
        )
        own = OWN_NUMBERS.get(table)
        for name, value in data.items():
            if name in ("variant", "players", "lineup", "cell", "measure", *BOUNDS) or value is None:
                continue
            bounds = data if name == own else value if isinstance(value, dict) else {}
            number = value["value"] if isinstance(value, dict) else value
            is_number = isinstance(number, int | float)
            yield (
                table, row.variant, row.players, row.lineup, key, name,
                float(number) if is_number else None,
                None if is_number else str(number),
                *(bounds.get(bound) for bound in BOUNDS),
            )  # fmt: skip


def flattened(data: dict[str, Any]) -> dict[str, Any]:
    """Return plain data without objects in it: ``difference.low`` becomes ``difference_low``."""
    flat: dict[str, Any] = {}
    for key, value in data.items():
        if isinstance(value, dict):
            flat[key] = value["value"]
            flat.update({f"{key}_{bound}": value[bound] for bound in BOUNDS})
        elif isinstance(value, list):
            flat[key] = [[str(part) for part in each] if isinstance(each, list) else each for each in value]
        else:
            flat[key] = value
    return flat
