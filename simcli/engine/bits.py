"""Bits and random words: the only place with raw integer arithmetic.

A set of cards is an int64 with bit ``4 * rank + suit`` for each card, so the lowest card is the lowest
bit and the cards of one rank are four neighbouring bits. Everything is int64, because numba turns int64
mixed with uint64 into float64. Compiled code uses processor instructions; without the JIT each function
has a twin in plain Python that returns the same numbers.

Random words come from splitmix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number
generators", OOPSLA): a stream is a counter, a word is the mixed counter.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simcli.engine.jit import JIT_ENABLED, inlined

_M64 = (1 << 64) - 1
_GAMMA = 0x9E3779B97F4A7C15
_MIX_1 = 0xBF58476D1CE4E5B9
_MIX_2 = 0x94D049BB133111EB
_FOLD = 0xD1342543DE82EF95  # odd multiplier of the trace, Steele and Vigna 2021, table 7

_GAMMA_SIGNED = _GAMMA - (1 << 64)
_MIX_1_SIGNED = _MIX_1 - (1 << 64)

if JIT_ENABLED:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def popcount(typing_context: Any, word: Any) -> Any:
        """Count the set bits of an int64."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.int64), codegen

    @intrinsic
    def lowest_index(typing_context: Any, word: Any) -> Any:
        """Return the index of the lowest set bit of an int64; the word must not be 0."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), codegen

    @inlined
    def mix(word: int) -> int:
        """Scramble a 64-bit word (the finaliser of splitmix64)."""
        z = np.uint64(word)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(_MIX_1)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(_MIX_2)
        return np.int64(z ^ (z >> np.uint64(31)))  # type: ignore[return-value]

    @inlined
    def step_stream(counter: int) -> int:
        """Return the next counter of a stream."""
        return np.int64(np.uint64(counter) + np.uint64(_GAMMA))  # type: ignore[return-value]

    @inlined
    def mul_add(word: int, factor: int, addend: int) -> int:
        """Return ``word * factor + addend`` modulo 2**64 as an int64."""
        return np.int64(np.uint64(word) * np.uint64(factor) + np.uint64(addend))  # type: ignore[return-value]

    @inlined
    def high_half(word: int) -> int:
        """Return the upper 32 bits of a word as a number below 2**32."""
        return np.int64(np.uint64(word) >> np.uint64(32))  # type: ignore[return-value]

    @inlined
    def fold(trace: int, code: int) -> int:
        """Fold one action code into a trace (a polynomial modulo 2**64)."""
        return np.int64(np.uint64(trace) * np.uint64(_FOLD) + np.uint64(code))  # type: ignore[return-value]

else:

    def _signed(word: int) -> int:
        return word - (1 << 64) if word >> 63 else word

    def popcount(word: int) -> int:
        """Count the set bits of an int64."""
        return (int(word) & _M64).bit_count()

    def lowest_index(word: int) -> int:
        """Return the index of the lowest set bit of an int64; the word must not be 0."""
        word = int(word)
        return (word & -word).bit_length() - 1

    def mix(word: int) -> int:
        """Scramble a 64-bit word (the finaliser of splitmix64)."""
        z = int(word) & _M64
        z = ((z ^ (z >> 30)) * _MIX_1) & _M64
        z = ((z ^ (z >> 27)) * _MIX_2) & _M64
        return _signed(z ^ (z >> 31))

    def step_stream(counter: int) -> int:
        """Return the next counter of a stream."""
        return _signed((int(counter) + _GAMMA) & _M64)

    def mul_add(word: int, factor: int, addend: int) -> int:
        """Return ``word * factor + addend`` modulo 2**64 as an int64."""
        return _signed((int(word) * int(factor) + int(addend)) & _M64)

    def high_half(word: int) -> int:
        """Return the upper 32 bits of a word as a number below 2**32."""
        return (int(word) & _M64) >> 32

    def fold(trace: int, code: int) -> int:
        """Fold one action code into a trace (a polynomial modulo 2**64)."""
        return _signed((int(trace) * _FOLD + int(code)) & _M64)


@inlined
def at(first: int, seat: int) -> int:
    """Return the slot of a seat in a block with one slot a seat.

    An index that cannot be negative spares a test at every access, and a range known to the compiler
    lets it keep other slots in registers: together a tenth of the speed.
    """
    return first + (seat & 7)


@inlined
def nth(first: int, index: int) -> int:
    """Return the slot of an entry in a block with one slot a card (as `at`, for 0 … 63)."""
    return first + (index & 63)


@inlined
def lowest_bit(cards: int) -> int:
    """Return the lowest card of a set as a set of one; the empty set stays empty."""
    return cards & -cards


@inlined
def below(word: int, n: int) -> int:
    """Map a random word to 0 … n - 1 (Lemire's multiply-shift on 32 bits; bias below n / 2**32)."""
    return (high_half(word) * n) >> 32


@inlined
def nth_bit(cards: int, index: int) -> int:
    """Return the card of a set at an index, counted from the lowest, as a set of one."""
    for _ in range(index):
        cards &= cards - 1
    return cards & -cards


@inlined
def n_lowest(cards: int, n: int) -> int:
    """Return the n lowest cards of a set, or the whole set if it has no more."""
    rest = cards
    for _ in range(n):
        rest &= rest - 1
    return cards ^ rest


@inlined
def stream_key(seed: int, deal: int, purpose: int, seat: int) -> int:
    """Return the start of the random stream of (seed, deal, purpose, seat).

    Streams of different keys are independent for every practical use, so a bot that draws more or
    fewer numbers never changes a pack, a dealer or another bot.
    """
    base = mix(mul_add(deal + 1, _GAMMA_SIGNED, mix(seed + 1)))
    return mix(mul_add(purpose * 8 + seat + 1, _MIX_1_SIGNED, base))
