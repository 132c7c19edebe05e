"""The marks of verdicts: a shape each, so that nothing hangs on colour alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simcli.report.charts.style import INK, PAPER

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FILLS = {
    "changes": "full",
    "undecided": "left",
    "too small to matter": "none",
    "no change beyond the margin": "none",
    "inside": "none",
}
"""How much of a verdict's circle is filled: ● ◐ ○."""
SAME_RULES = "same rules"
MARK_SIZE = 7.0


def draw_mark(
    axes: Axes, x: float, y: float, verdict: str | None, colour: str = INK, size: float = MARK_SIZE
) -> None:
    """Draw the mark of a verdict; without one a small dot, empty where it has neither colour."""
    look: dict[str, Any]
    if verdict == SAME_RULES:
        look = {"marker": _equals(), "markersize": size * 1.2, "markeredgewidth": 1.6, "fillstyle": "none"}
    elif verdict is None:
        face, edge = (PAPER, 1.0) if colour == INK else (colour, 0.0)
        look = {"marker": "o", "markersize": size * 0.7, "markerfacecolor": face, "markeredgewidth": edge}
    else:
        look = {"marker": "o", "markersize": size, "markeredgewidth": 1.3, **_filling(FILLS[verdict], colour)}
    axes.plot(
        [x],
        [y],
        linestyle="none",
        clip_on=False,
        markeredgecolor=colour,
        label=verdict or "dot",
        zorder=4,
        **look,
    )


def _filling(fill: str, colour: str) -> dict[str, str]:
    if fill == "left":
        return {"fillstyle": "left", "markerfacecolor": colour, "markerfacecoloralt": PAPER}
    return {"fillstyle": "full", "markerfacecolor": colour if fill == "full" else PAPER}


def _equals() -> Any:
    """Return the sign = as a path."""
    from matplotlib.path import Path

    corners = [(-1, 0.45), (1, 0.45), (-1, -0.45), (1, -0.45)]
    return Path(corners, [Path.MOVETO, Path.LINETO, Path.MOVETO, Path.LINETO])
