"""Tables on narrow terminals: where the columns do not fit, a row becomes a list, and nothing is left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

INDENT = "  "
Texts = Sequence[Text]  # a column: its heading, then its cells


def print_table(table: Table, out: Console) -> None:
    """Print a table, as lists if the terminal is too narrow for its longest words and numbers.

    Parameters
    ----------
    table : Table
        Without a box; its cells are texts.
    out : Console
        Where to.
    """
    columns = [[*map(_text, (column.header, *column.cells))] for column in table.columns]
    space = out.width - len(columns) * (table.padding[1] + table.padding[3])
    both = list(zip(table.columns, columns, strict=True))
    least = [_least_width(column, texts) for column, texts in both]
    wanted = [max(cell_len(text.plain) for text in texts) for texts in columns]
    if sum(least) > space:
        for line in _lists(columns):
            out.print(line)
        return
    roomy = [max(width, column.min_width or 0) for width, column in zip(wanted, table.columns, strict=True)]
    wanted = roomy if sum(roomy) <= space else wanted
    if sum(wanted) > space:
        wanted = _shared(space, least, wanted)
    for column, width in zip(table.columns, wanted, strict=True):
        column.width = width
    out.print(table)


def _least_width(column: Column, texts: Texts) -> int:
    """Return the width that a column needs so that no word is broken, and no number or interval."""
    is_numbers = column.no_wrap or column.justify == "right"
    head, *cells = (text.plain for text in texts)
    pieces = [head] if column.no_wrap else head.split()
    pieces += cells if is_numbers else [word for cell in cells for word in cell.split()]
    return max(map(cell_len, pieces), default=0)


def _shared(space: int, least: Sequence[int], wanted: Sequence[int]) -> list[int]:
    """Return widths that fill a space, what is left over going to the first columns that want it."""
    rest = space - sum(least)
    widths = []
    for low, high in zip(least, wanted, strict=True):
        more = min(rest, high - low)
        rest -= more
        widths.append(low + more)
    return widths


def _lists(columns: Sequence[Texts]) -> Iterator[Text]:
    """Yield the rows one after another: the first cell, and the others below it with their headings.

    Cells without a heading stand beside the first one, or together below it if no column has a heading.
    """
    first, *others = columns
    headed = [texts for texts in others if texts[0].plain.strip()]
    bare = [texts for texts in others if not texts[0].plain.strip()]
    width = max((cell_len(texts[0].plain.strip()) for texts in headed), default=0)
    for row in range(1, len(first)):
        beside = _joined([texts[row] for texts in bare])
        if headed:
            yield _joined([first[row], beside])
        else:
            yield from (first[row], Text(INDENT) + beside)
        for texts in headed:
            head = texts[0].plain.strip()
            if texts[row].plain.strip():
                yield Text(INDENT + head + " " * (width - cell_len(head)) + INDENT) + texts[row]


def _joined(texts: Sequence[Text]) -> Text:
    return Text(" ").join(text for text in texts if text.plain.strip())


def _text(cell: object) -> Text:
    return cell.copy() if isinstance(cell, Text) else Text(str(cell))
