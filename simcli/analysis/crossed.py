"""Designs that vary several options: which variants stand against which for the effect of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from simcli.analysis.rates import Floats
from simcli.errors import Problem, input_error, refusal
from simcli.rules.wording import choice, printable, shown

WHERE = "factors"
TIMES = " × "

Combination = tuple[object, ...]
"""A value for each option, in the order of the reference."""
Levels = Mapping[str, object]


@dataclass(frozen=True)
class Contrast:
    """Say which variants an effect compares.

    Attributes
    ----------
    factor : str
        The option; two with a × between them for an interaction.
    value, reference : object
        Its value and the reference's; a text of two for an interaction.
    simple : ndarray of float64, shape (n_simple, variants)
        One row a simple effect: 1 for the variants that count for it, −1 against it, else 0.
    order : int
        1 for a main effect, 2 for an interaction.
    """

    factor: str
    value: object
    reference: object
    simple: Floats
    order: int = 1

    @property
    def weights(self) -> Floats:
        """Return the weight of each variant: the mean of the simple effects."""
        return np.asarray(self.simple.mean(axis=0))


def design(
    factors: Mapping[str, Levels], reference: Levels, *, interactions: bool = True
) -> tuple[Contrast, ...]:
    """Return the main effects, then the interactions of two options, of a set of variants.

    The set may be crossed completely or in part, or vary one option at a time. A main effect averages, with
    equal weights, over all combinations of the other options for which both of its values exist; one that has
    none is left out, and so is an interaction without a combination for which all four variants exist.

    Parameters
    ----------
    factors : mapping of str to mapping
        Per variant the values of the options; an option that is not named has the reference's value.
    reference : mapping of str to object
        The value that the others of an option are compared with; it has every option.
    interactions : bool
        Whether to form interactions.

    Raises
    ------
    InputError
        An option is not in the reference, or two variants have the same values.

    >>> [contrast.factor for contrast in design({"a": {}, "b": {"x": 2}}, {"x": 1})]
    ['x']
    """
    places = _places(factors, reference)
    main = [contrast for key in reference for contrast in _main_effects(places, reference, key)]
    if not interactions:
        return tuple(main)
    pairs = combinations(reference, 2)
    crossed = [contrast for pair in pairs for contrast in _interactions(places, reference, *pair)]
    return (*main, *crossed)


def _places(factors: Mapping[str, Levels], reference: Levels) -> dict[Combination, int]:
    """Return where each combination stands among the variants."""
    places: dict[Combination, int] = {}
    names = list(factors)
    problems = []
    for place, (name, given) in enumerate(factors.items()):
        strange = [key for key in given if key not in reference]
        problems += [
            Problem(WHERE, None, name, f"expected {choice(reference)}, got {printable(key)}")
            for key in strange
        ]
        combination = tuple(given.get(key, value) for key, value in reference.items())
        if combination in places:
            other = names[places[combination]]
            problems.append(
                Problem(
                    WHERE, None, name, f"expected values of its own, got those of {other} – leave one out"
                )
            )
        places.setdefault(combination, place)
    if problems:
        raise input_error(problems)
    if not places:
        raise refusal(WHERE, "expected variants, got none")
    return places


def _levels(places: Mapping[Combination, int], reference: Levels, key: str) -> list[object]:
    """Return the values of an option other than the reference's, in order of appearance."""
    at = list(reference).index(key)
    seen = dict.fromkeys(combination[at] for combination in places)
    return [value for value in seen if value != reference[key]]


def _main_effects(places: Mapping[Combination, int], reference: Levels, key: str) -> Iterator[Contrast]:
    for value in _levels(places, reference, key):
        simple = list(_simple(places, reference, {key: value}))
        if simple:
            yield Contrast(key, value, reference[key], np.array(simple))


def _interactions(
    places: Mapping[Combination, int], reference: Levels, first: str, second: str
) -> Iterator[Contrast]:
    for one in _levels(places, reference, first):
        for other in _levels(places, reference, second):
            simple = list(_simple(places, reference, {first: one, second: other}))
            if simple:
                yield Contrast(
                    TIMES.join((first, second)),
                    _together(one, other),
                    _together(reference[first], reference[second]),
                    np.array(simple),
                    order=2,
                )


def _together(one: object, other: object) -> str:
    return TIMES.join((shown(one), shown(other)))


def _simple(
    places: Mapping[Combination, int], reference: Levels, raised: Levels
) -> Iterator[Sequence[float]]:
    """Yield the weights of each simple effect of raising some options from the reference's value."""
    keys = list(reference)
    for combination in places:
        given = dict(zip(keys, combination, strict=True))
        if any(given[key] != value for key, value in raised.items()):
            continue
        corners = dict(_corners(given, reference, tuple(raised)))
        if all(corner in places for corner in corners):
            weights = [0.0] * len(places)
            for corner, sign in corners.items():
                weights[places[corner]] = sign
            yield weights


def _corners(
    given: Levels, reference: Levels, raised: tuple[str, ...]
) -> Iterator[tuple[Combination, float]]:
    """Yield the combinations of a simple effect with their signs.

    Each change back to the reference turns the sign: y(a) − y(r), and y(a, b) − y(r, b) − y(a, r) + y(r, r).
    """
    for n_back in range(len(raised) + 1):
        for back in combinations(raised, n_back):
            changed = {**given, **{key: reference[key] for key in back}}
            yield tuple(changed.values()), (-1.0) ** n_back
