"""Load YAML that people write: plain, small, one document, with the line of every key.

Booleans are `true` and `false` only (`yes`, `on` and the like are text), whole numbers are plain decimal
digits, and keys are always text. Anchors, aliases, merge keys and tags are refused, so that what a file says
stands in it as written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from simcli.errors import InputError, Problem, input_error, refusal
from simcli.rules.document import Document, KeyPath, Mark, key_text
from simcli.rules.scalars import scalar_value
from simcli.rules.textfile import character_name, forbidden_character, read_text
from simcli.rules.wording import printable, printable_path

MAX_DEPTH = 20
MAX_EVENTS = 10_000  # values, starts and ends of blocks and lists: far more than a person writes
SHOWN_PROBLEM = 120

_UNUSABLE = object()


def load_yaml(path: Path, where: str | None = None) -> Document:
    """Load a YAML file whose top is a block of keys.

    Parameters
    ----------
    path : Path
        The file.
    where : str, optional
        Its name in messages; the path by default.

    Returns
    -------
    Document
        The content. Its `problems` hold the faults that did not stop the reading, to be reported
        together with what the caller finds.

    Raises
    ------
    InputError
        The file cannot be read, is no YAML, or is no block of keys.
    """
    name = where if where is not None else printable_path(path)
    return parse_yaml(read_text(path, name), name)


def parse_yaml(text: str, where: str) -> Document:
    """Return the document in `text`; errors as for `load_yaml`."""
    events = _events(text, where)
    composer = _Composer(where, events)
    document = composer.document()
    if document.data is _UNUSABLE:
        raise input_error(document.problems)
    if document.data is None:
        raise refusal(where, "expected keys and values, got none")
    if not isinstance(document.data, dict):
        kind = "a list" if isinstance(document.data, list) else "a single value"
        message = f"expected a block of keys (key: value), got {kind}"
        raise input_error([*document.problems, Problem(where, document.line, None, message)])
    return document


def _events(text: str, where: str) -> list[yaml.Event]:
    """Return the parser's events: a syntax error anywhere comes before everything else."""
    events: list[yaml.Event] = []
    depth = 0
    for event in _parsed(text, where):
        events.append(event)
        depth += _depth_step(event)
        if depth > MAX_DEPTH:
            message = f"expected at most {MAX_DEPTH} levels of nesting, got more"
            raise refusal(where, message, line=_line(event))
        if len(events) > MAX_EVENTS:
            message = "expected a file that a person could have written, got too many values"
            raise refusal(where, message, line=_line(event))
    return events


def _parsed(text: str, where: str) -> Iterator[yaml.Event]:
    """Yield the parser's events; whatever the parser trips over is an `InputError`."""
    line = 1
    try:
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            line = _line(event)
            yield event
    except yaml.MarkedYAMLError as error:
        raise _syntax_error(error, where) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        message = "expected plain text, got a character that YAML does not allow"
        raise refusal(where, message, line=line) from None
    except (ValueError, OverflowError):
        # The parser computes escapes and version numbers without looking at their size.
        raise refusal(where, "expected YAML, got an escape or a number out of range", line=line) from None


def _depth_step(event: yaml.Event) -> int:
    return isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)


def _syntax_error(error: yaml.MarkedYAMLError, where: str) -> InputError:
    mark, context = error.problem_mark or error.context_mark, error.context_mark
    what = _in_plain_words(error.problem or "a syntax error")
    if mark and context and context.line != mark.line:
        what = f"{what} (in the part that begins on line {context.line + 1})"
    return refusal(where, f"expected YAML, got {what}", line=mark.line + 1 if mark else None)


def _in_plain_words(problem: str) -> str:
    """Return what the parser found in words that help somebody who never heard of tokens."""
    start = re.match(r"found character '(.+)' that cannot start any token", problem)
    if start and start[1] == "\\t":
        return "a tab in the indentation – use spaces"
    if start:
        return f"a text that begins with {start[1]} – put it in quotes"
    if "mapping values are not allowed" in problem:
        return "a second colon, or a line indented too far – put a text with a colon in quotes"
    if "stream end" in problem or "end of stream" in problem:
        return "the end of the file before a bracket or quotation mark was closed"
    if "expected <block end>" in problem:
        return "a line that does not line up with those above"
    return f"this: {printable_path(problem[:SHOWN_PROBLEM])}"


def _line(event: yaml.Event) -> int:
    assert event.start_mark is not None  # every event of a text has a place
    return event.start_mark.line + 1


class _Composer:
    """Build plain data from the events of one document, noting places and faults."""

    def __init__(self, where: str, events: list[yaml.Event]) -> None:
        self.where = where
        self.events: Iterator[yaml.Event] = iter(events)
        self.marks: dict[KeyPath, Mark] = {}
        self.problems: list[Problem] = []

    def document(self) -> Document:
        """Return the only document of the stream."""
        next(self.events)
        first = next(self.events)
        if isinstance(first, yaml.StreamEndEvent):
            return Document(self.where, None)
        root = next(self.events)
        data = self._value(root, ())
        next(self.events)
        after = next(self.events)
        if isinstance(after, yaml.DocumentStartEvent):
            self._fault(after, (), "expected one document, got a second one after ---")
        return Document(self.where, data, self.marks, line=_line(root), problems=tuple(self.problems))

    def _fault(self, event: yaml.Event, path: KeyPath, message: str) -> None:
        self.problems.append(Problem(self.where, _line(event), key_text(path) or None, message))

    def _value(self, event: yaml.Event, path: KeyPath) -> Any:
        usable = self._is_plain(event, path)
        value: Any = None
        if isinstance(event, yaml.ScalarEvent):
            value = self._scalar(event, path)
        elif isinstance(event, yaml.SequenceStartEvent):
            value = self._list(path)
        elif isinstance(event, yaml.MappingStartEvent):
            value = self._block(path)
        return value if usable else _UNUSABLE

    def _is_plain(self, event: yaml.Event, path: KeyPath) -> bool:
        if isinstance(event, yaml.AliasEvent):
            extra, way_out = f"the alias *{event.anchor}", "write the value out"
        elif isinstance(event, yaml.NodeEvent) and event.anchor is not None:
            extra, way_out = f"the anchor &{event.anchor}", "leave it out"
        elif isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent) and event.tag is not None:
            extra, way_out = f"the tag {event.tag}", "leave it out"
        else:
            return True
        self._fault(event, path, f"expected a plain value, got {printable(extra)} – {way_out}")
        return False

    def _scalar(self, event: yaml.ScalarEvent, path: KeyPath) -> Any:
        text: str = event.value
        bad = forbidden_character(text.rstrip("\n").replace("\n", " "))
        if bad is not None:
            self._fault(event, path, f"expected plain text, got the character {character_name(bad)}")
            return _UNUSABLE
        return scalar_value(text) if event.style is None else text

    def _list(self, path: KeyPath) -> list[Any]:
        items: list[Any] = []
        for event in self.events:
            if isinstance(event, yaml.SequenceEndEvent):
                break
            here = (*path, len(items))
            self.marks[here] = Mark(self.where, _line(event), _line(event))
            value = self._value(event, here)
            items.append(None if value is _UNUSABLE else value)
        return items

    def _block(self, path: KeyPath) -> dict[str, Any]:
        entries: dict[str, Any] = {}
        for event in self.events:
            if isinstance(event, yaml.MappingEndEvent):
                break
            key = self._key(event, path)
            content = next(self.events)
            here = (*path, key if key is not None else "?")
            first = self.marks.get(here)
            if key is None or first is not None:
                if key is not None and first is not None:
                    message = f"expected each key once, got it again (first on line {first.line})"
                    self._fault(event, here, message)
                self._skip(content, here)
                continue
            self.marks[here] = Mark(self.where, _line(event), _line(content))
            value = self._value(content, here)
            if value is not _UNUSABLE:
                entries[key] = value
        return entries

    def _key(self, event: yaml.Event, path: KeyPath) -> str | None:
        """Return the text of a key, None after having reported one that cannot be used."""
        if not isinstance(event, yaml.ScalarEvent):
            if not isinstance(event, yaml.AliasEvent):
                self._skip(event, path)
            self._fault(event, path, "expected a word as key, got something else before the colon")
            return None
        text: str = event.value
        if text == "<<" and event.style is None:
            self._fault(event, (*path, text), "expected a key, got the merge key << – write the keys out")
            return None
        self._is_plain(event, (*path, text))
        bad = forbidden_character(text)
        if bad is not None:
            self._fault(event, path, f"expected a word as key, got the character {character_name(bad)}")
            return None
        return text

    def _skip(self, event: yaml.Event, path: KeyPath) -> None:
        """Pass over a value that has no place in the document."""
        depth = 0
        while True:
            depth += _depth_step(event)
            if depth == 0:
                return
            event = next(self.events)
