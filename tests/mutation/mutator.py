"""Change one place of a source at a time: every change that a slip of the pen could make.

A mutant is a stretch of the source and what stands there instead, so that a survivor can be shown as the line
that was written and the line that no test told from it. Nothing is written into the checkout.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from tests.mutation.kinds import NEIGHBOURS

COMPARISONS: dict[type[ast.cmpop], tuple[str, tuple[str, ...]]] = {
    ast.Lt: ("<", ("<=", ">=")),
    ast.LtE: ("<=", ("<", ">")),
    ast.Gt: (">", (">=", "<=")),
    ast.GtE: (">=", (">", "<")),
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
    ast.In: ("in", ("not in",)),
    ast.NotIn: ("not in", ("in",)),
}
OPERATORS: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "+"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.BitXor: ("^", "|"),
}
SIGNS: dict[type[ast.unaryop], str] = {ast.Not: "not ", ast.Invert: "~", ast.USub: "-"}


@dataclass(frozen=True)
class Mutant:
    """One changed place of a module.

    Attributes
    ----------
    module : str
        Name of the file without its ending, e.g. ``"legal"``.
    function : str
        The function it lies in; empty at the level of the module.
    start, end : int
        The bytes of the source that are replaced.
    by : str
        What stands there instead.
    line : int
        Line of the place, from 1.
    original, mutated : str
        The lines of the place as they are and as changed, without comments, white space collapsed.
    notes_only : bool
        Whether the place only notes which options decided something, and no rule depends on it.
    """

    module: str
    function: str
    start: int
    end: int
    by: str
    line: int
    original: str
    mutated: str
    notes_only: bool

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What names the mutant wherever it stands in the file."""
        return self.module, self.function, self.original, self.mutated

    @property
    def place(self) -> str:
        """Where it is, for people."""
        return f"{self.module}.py:{self.line}"


@dataclass(frozen=True)
class Change:
    """Bytes of a source and what replaces them."""

    start: int
    end: int
    by: str


class Source:
    """A module's text, with its tree and the bytes at which each node begins and ends."""

    def __init__(self, module: str, text: str) -> None:
        self.module = module
        self.raw = text.encode()
        self.tree = ast.parse(text)

    @cached_property
    def line_starts(self) -> list[int]:
        """Return the byte at which each line begins."""
        starts = [0]
        for line in self.raw.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        return starts

    def start(self, node: ast.expr | ast.stmt) -> int:
        """Return the first byte of a node."""
        return self.line_starts[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr | ast.stmt) -> int:
        """Return the byte after a node."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.line_starts[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: ast.expr | ast.stmt) -> str:
        """Return what a node is written as."""
        return self.raw[self.start(node) : self.end(node)].decode()

    def whole(self, node: ast.expr | ast.stmt, by: str) -> Change:
        """Replace a node."""
        return Change(self.start(node), self.end(node), by)

    def between(self, left: ast.expr, right: ast.expr, symbol: str, by: str) -> Change:
        """Replace the operator between two operands."""
        gap = self.raw[self.end(left) : self.start(right)]
        start = self.end(left) + gap.index(symbol.encode())
        return Change(start, start + len(symbol), by)

    def changed(self, change: Change | Mutant) -> str:
        """Return the whole text with one place changed."""
        return (self.raw[: change.start] + change.by.encode() + self.raw[change.end :]).decode()

    def lines(self, change: Change) -> tuple[int, str, str]:
        """Return the line of a change, and the lines it touches before and after."""
        first = next(i for i, start in enumerate(self.line_starts) if start > change.start)
        line_end = next(start for start in self.line_starts if start >= change.end)
        line_start = self.line_starts[first - 1]
        before = self.raw[line_start : change.start].decode()
        after = self.raw[change.end : line_end].decode()
        inside = self.raw[change.start : change.end].decode()
        return first, _collapsed(before + inside + after), _collapsed(before + change.by + after)


def _collapsed(text: str) -> str:
    return " ".join(" ".join(line.split("  # ")[0] for line in text.splitlines()).split())


# ------------------------------------------------------------------------------------- expressions


def change_comparison(source: Source, node: ast.Compare) -> Iterator[Change]:
    """Move the boundary of a comparison, and turn it round."""
    left = node.left
    for operator, right in zip(node.ops, node.comparators, strict=True):
        symbol, others = COMPARISONS[type(operator)]
        for other in others:
            yield source.between(left, right, symbol, other)
        left = right


def change_condition(source: Source, node: ast.BoolOp) -> Iterator[Change]:
    """Exchange ``and`` and ``or``, and leave out one condition after the other."""
    symbol, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
    for left, right in zip(node.values, node.values[1:], strict=False):
        yield source.between(left, right, symbol, other)
    for left_out in node.values:
        rest = [f"({source.text(value)})" for value in node.values if value is not left_out]
        yield source.whole(node, f" {symbol} ".join(rest))


def change_sign(source: Source, node: ast.UnaryOp) -> Iterator[Change]:
    """Leave out ``not``, ``~`` or a minus."""
    sign = SIGNS.get(type(node.op))
    if sign is not None:
        yield Change(source.start(node), source.start(node) + len(sign), "")


def change_constant(source: Source, node: ast.Constant) -> Iterator[Change]:
    """Miss a number by one, or turn a truth value round."""
    if isinstance(node.value, bool):
        yield source.whole(node, str(not node.value))
    elif isinstance(node.value, int):
        yield source.whole(node, str(node.value + 1))
        yield source.whole(node, str(node.value - 1) if node.value > 0 else "(-1)")


def change_call(source: Source, node: ast.Call) -> Iterator[Change]:
    """Take the smaller for the larger."""
    if isinstance(node.func, ast.Name) and node.func.id in ("min", "max"):
        yield source.whole(node.func, "max" if node.func.id == "min" else "min")


def negate(source: Source, test: ast.expr) -> Iterator[Change]:
    """Turn a condition round, unless a change of its comparison or its ``not`` does the same."""
    is_sign = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
    if not isinstance(test, ast.Compare) and not is_sign:
        yield source.whole(test, f"not ({source.text(test)})")


def change_expression(source: Source, node: ast.expr) -> Iterator[Change]:
    """Yield every change of one expression, but not of those within it."""
    if isinstance(node, ast.Compare):
        yield from change_comparison(source, node)
    elif isinstance(node, ast.BinOp):
        symbol, other = OPERATORS[type(node.op)]
        yield source.between(node.left, node.right, symbol, other)
    elif isinstance(node, ast.BoolOp):
        yield from change_condition(source, node)
    elif isinstance(node, ast.UnaryOp):
        yield from change_sign(source, node)
    elif isinstance(node, ast.Constant):
        yield from change_constant(source, node)
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        for other in NEIGHBOURS.get(node.id, ()):
            yield source.whole(node, other)
    elif isinstance(node, ast.Call):
        yield from change_call(source, node)
    elif isinstance(node, ast.IfExp):
        yield from negate(source, node.test)


# -------------------------------------------------------------------------------------- statements


def change_statement(source: Source, node: ast.stmt, bound: set[str]) -> Iterator[Change]:
    """Yield every change of one statement as such; `bound` are the names that have a value before it."""
    if isinstance(node, ast.If | ast.While):
        yield from negate(source, node.test)
    elif isinstance(node, ast.Expr):
        yield source.whole(node, "pass")
    elif isinstance(node, ast.Assign):
        target = node.targets[0]
        if isinstance(target, ast.Subscript) or (isinstance(target, ast.Name) and target.id in bound):
            yield source.whole(node, "pass")
    elif isinstance(node, ast.AugAssign):
        symbol, other = OPERATORS[type(node.op)]
        yield source.between(node.target, node.value, symbol + "=", other + "=")
        yield source.whole(node, "pass")
    elif isinstance(node, ast.Return) and node.value is None:
        yield source.whole(node, "pass")
    elif isinstance(node, ast.Return) and not is_code(node.value):
        yield source.whole(node, "return 0")


def is_code(node: ast.expr | None) -> bool:
    """Return whether an expression is a number or the name of one."""
    return isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and node.id.isupper())


def expressions(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions of a statement, outermost first, but not those of statements within it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield child
            yield from expressions(child)


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield all statements of a body in the order of the text, but not those of functions in it."""
    for node in body:
        yield node
        if not isinstance(node, ast.FunctionDef):
            for inner in ("body", "orelse"):
                yield from statements(getattr(node, inner, []))


def assigned(node: ast.stmt) -> set[str]:
    """Return the names that a statement gives a value."""
    return {e.id for e in expressions(node) if isinstance(e, ast.Name) and isinstance(e.ctx, ast.Store)}


def is_docstring(node: ast.stmt) -> bool:
    """Return whether a statement is nothing but a text."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def changes(source: Source, body: list[ast.stmt], bound: set[str]) -> Iterator[tuple[ast.stmt, Change]]:
    """Yield every change of a body, with the statement it is made in."""
    for node in statements(body):
        if is_docstring(node) or isinstance(node, ast.FunctionDef | ast.ImportFrom | ast.Import):
            continue
        if isinstance(node, ast.AnnAssign):
            found = [node.value, *expressions(node.value)] if node.value else []
        else:
            found = list(expressions(node))
        for change in change_statement(source, node, bound):
            yield node, change
        for expression in found:
            for change in change_expression(source, expression):
                yield node, change
        bound = bound | assigned(node)


# ---------------------------------------------------------------------------- what only takes notes

#: what a deal keeps only to say which options decided something
NOTES = {"watched", "OPEN"}


def names_in(node: ast.AST) -> set[str]:
    """Return the names in a node."""
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def is_noting_call(node: ast.expr) -> bool:
    """Return whether an expression calls something of `triggers` that takes notes."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return False
    name = node.func.id
    if name in ("note_largest_hand", "note_exposed"):
        return False
    return name == "set_limit_edge" or name.startswith(("note_", "watch_"))


def is_note(node: ast.stmt) -> bool:
    """Return whether a statement only notes which options decided something."""
    if isinstance(node, ast.If):
        return not node.orelse and all(is_note(inner) for inner in node.body)
    if isinstance(node, ast.Expr):
        return is_noting_call(node.value)
    return isinstance(node, ast.Assign) and bool(names_in(node.targets[0]) & NOTES)


# ------------------------------------------------------------------------------------------ mutants


def pieces(tree: ast.Module) -> Iterator[tuple[str, list[ast.stmt], set[str]]]:
    """Yield name, body and parameters of each function, and what stands outside of them."""
    yield "", tree.body, set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node.body, {argument.arg for argument in node.args.args}


def mutants_of(module: str, text: str) -> list[Mutant]:
    """Return every mutant of a module, in the order of the text."""
    source = Source(module, text)
    found: dict[Change, Mutant] = {}
    for function, body, parameters in pieces(source.tree):
        for node, change in changes(source, body, parameters):
            line, original, mutated = source.lines(change)
            notes_only = is_note(node) or function.startswith("note_opening")
            found[change] = Mutant(
                module,
                function,
                change.start,
                change.end,
                change.by,
                line,
                original,
                mutated,
                notes_only,
            )
    return sorted(found.values(), key=lambda mutant: (mutant.start, mutant.end, mutant.by))


def mutated_text(text: str, mutant: Mutant) -> str:
    """Return the text of a module with one mutant in it."""
    return Source(mutant.module, text).changed(mutant)
