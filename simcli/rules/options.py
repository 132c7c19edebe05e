"""Read the table of rule options off the variant model, so that each option stands once in the code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

from annotated_types import Ge, Le
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from simcli.rules.texts import Text

Value = str | int | bool


@dataclass(frozen=True)
class RuleOption:
    """Describe one rule on which tables differ.

    Attributes
    ----------
    key : str
        Dotted key of a variant file, e.g. ``"opening.first"``.
    values : tuple of Value or None
        Allowed values in the order of the rules text; None for a number within bounds.
    low, high : int or None
        Bounds of a number, both included; None where ``values`` lists the choice.
    default : Value
        Value of a file that does not name the option.
    description : str
        What the option decides, in one sentence.
    texts : tuple of Text
        What each value means, in words; one text for all of them where the value is a number.
    """

    key: str
    values: tuple[Value, ...] | None
    low: int | None
    high: int | None
    default: Value
    description: str
    texts: tuple[Text, ...]

    def text(self, value: Value) -> Text:
        """Return what a value means, in words."""
        for text in self.texts:
            if text.value is None:
                return text.counted(int(value))
            # True is not 1, nor is False 0.
            if text.value == value and isinstance(text.value, bool) is isinstance(value, bool):
                return text
        raise KeyError(f"{self.key}: no text for {value}")


def rule_options(model: type[BaseModel], skip: frozenset[str] = frozenset()) -> tuple[RuleOption, ...]:
    """Return the options of a variant model in file order, leaving out the top-level keys in `skip`."""
    return tuple(_walk(model, "", skip))


def _walk(model: type[BaseModel], prefix: str, skip: frozenset[str]) -> Iterator[RuleOption]:
    for name, field in model.model_fields.items():
        if name in skip:
            continue
        annotation = field.annotation
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            yield from _walk(annotation, f"{name}.", frozenset())
        else:
            yield option_of(f"{prefix}{name}", field)


def option_of(key: str, field: FieldInfo) -> RuleOption:
    """Return what a field of the model says of an option."""
    values = allowed_values(field)
    low, high = bounds(field)
    default = field.get_default(call_default_factory=True, validated_data={})
    texts = tuple(each for each in field.metadata if isinstance(each, Text))
    return RuleOption(key, values, low, high, default, field.description or "", texts)


def allowed_values(field: FieldInfo) -> tuple[Value, ...] | None:
    """Return the values a field may take, or None if it is a number within bounds or free text."""
    if field.annotation is bool:
        return (False, True)
    parts = [field.annotation, *get_args(field.annotation)]  # an optional choice is one of its parts
    return next((get_args(part) for part in parts if get_origin(part) is Literal), None)


def bounds(field: FieldInfo) -> tuple[int | None, int | None]:
    """Return the lowest and highest number of a field, None where it has no such bound."""
    low: Any = next((m.ge for m in field.metadata if isinstance(m, Ge)), None)
    high: Any = next((m.le for m in field.metadata if isinstance(m, Le)), None)
    return low, high
