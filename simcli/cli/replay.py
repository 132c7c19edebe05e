"""`simcli replay`: play deals of a run again, told in words or as records, if wanted under two variants."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from simcli.cli.completion import variant_names
from simcli.errors import refusal
from simcli.terminal import fitted

if TYPE_CHECKING:
    from simcli.runs.plan import Match

COMMAND = "simcli replay"
DEFAULT_BOTS = "thrifty"
DEFAULT_SEED = "1"
DEFAULT_SESSION = "1"
RULER = "═" * 80


class Form(StrEnum):
    """How deals are written down."""

    text = "text"
    jsonl = "jsonl"


def replay(
    run_dir: Annotated[
        str | None,
        typer.Argument(metavar="RUN_DIR", help="Folder of a run, or its URL.", show_default=False),
    ] = None,
    deal: Annotated[str | None, typer.Option(metavar="I", help="The deal to replay, counted from 0.")] = None,
    deals: Annotated[
        str | None, typer.Option(metavar="A:B", help="A range of deals, without deal B itself.")
    ] = None,
    variant: Annotated[
        str | None,
        typer.Option(
            metavar="V",
            help="Instead of a folder: file or name of a variant.",
            autocompletion=variant_names,
        ),
    ] = None,
    players: Annotated[
        str | None, typer.Option(metavar="N", help="Table size. [default: the variant's]")
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(
            metavar="LINEUP", help=f"One bot for all seats, or one for each. [default: {DEFAULT_BOTS}]"
        ),
    ] = None,
    seed: Annotated[
        str | None, typer.Option(metavar="S", help=f"Seed of the run. [default: {DEFAULT_SEED}]")
    ] = None,
    session: Annotated[
        str | None, typer.Option(metavar="K", help=f"Deals in a session. [default: {DEFAULT_SESSION}]")
    ] = None,
    form: Annotated[
        Form, typer.Option("--format", help="Words for people, or one JSON object a line.")
    ] = Form.text,
    legal: Annotated[bool, typer.Option("--legal", help="Add the legal actions of every decision.")] = False,
    vs: Annotated[
        str | None,
        typer.Option(
            metavar="VARIANT",
            help="Play the deals under this variant too, and show where they part.",
            autocompletion=variant_names,
        ),
    ] = None,
) -> None:
    """Play deals of a run again and show how they went, card by card.

    The run is that of a folder, or the one that --variant, --players, --bots, --seed and --session name.
    """
    if run_dir is None:
        run, n_deals = _named_run(variant, players, bots, seed, session)
    else:
        options = {"variant": variant, "players": players, "bots": bots, "seed": seed, "session": session}
        run, n_deals = _run_of_folder(run_dir, [name for name, value in options.items() if value is not None])
    wanted = _wanted(deal, deals, n_deals)
    texts = _deals(run, wanted, legal, form) if vs is None else _duels(run, vs, wanted, legal, form)
    for index, text in enumerate(texts):
        if index and form is Form.text:
            print(f"\n{RULER}\n")
        print(text)


def _named_run(
    variant: str | None, players: str | None, bots: str | None, seed: str | None, session: str | None
) -> tuple[Match, int]:
    """Return the run that the options name, and how many deals it may have."""
    from simcli.bots.lineup import parse_lineup
    from simcli.rules.load import load_variant
    from simcli.rules.numbers import whole_number
    from simcli.rules.variant import MAX_PLAYERS, MIN_PLAYERS, seat
    from simcli.runs.plan import MAX_DEALS, MAX_SEED, MAX_SESSION, Match

    if variant is None:
        raise refusal(COMMAND, "expected the folder of a run or --variant, got neither")
    n_players = None if players is None else whole_number(players, "--players", MIN_PLAYERS, MAX_PLAYERS)
    seated = seat(load_variant(variant), n_players)
    run = Match(
        seated,
        parse_lineup(DEFAULT_BOTS if bots is None else bots, seated.players),
        whole_number(DEFAULT_SEED if seed is None else seed, "--seed", 0, MAX_SEED),
        whole_number(DEFAULT_SESSION if session is None else session, "--session", 1, MAX_SESSION),
    )
    return run, MAX_DEALS


def _run_of_folder(folder: str, named: list[str]) -> tuple[Match, int]:
    """Return the run of a folder, and how many deals it has."""
    from simcli.records.replay import other_engine, plan_of_folder
    from simcli.runs.store.location import location

    if named:
        options = " and ".join(f"--{name}" for name in named)
        raise refusal(
            COMMAND, f"expected a folder or options that name a run, got both – leave out {options}"
        )
    plan = plan_of_folder(location(folder))
    warning = other_engine(plan)
    if warning:
        print(fitted(warning, sys.stderr), file=sys.stderr)
    return plan.match, plan.deals


def _wanted(deal: str | None, deals: str | None, n_deals: int) -> range:
    """Return the indices of the wanted deals."""
    from simcli.rules.numbers import whole_number

    if deal is not None and deals is None:
        index = whole_number(deal, "--deal", 0, n_deals - 1)
        return range(index, index + 1)
    if deal is None and deals is not None:
        return _range_of(deals, n_deals)
    raise refusal(COMMAND, f"expected either --deal or --deals, got {'neither' if deal is None else 'both'}")


def _range_of(text: str, n_deals: int) -> range:
    """Return the half-open range that ``A:B`` stands for."""
    from simcli.rules.numbers import whole_number
    from simcli.rules.wording import printable

    ends = re.fullmatch("([^:]+):([^:]+)", text)
    if ends is None:
        raise refusal(
            "--deals", f"expected A:B, the first deal and the one after the last, got {printable(text)}"
        )
    first = whole_number(ends[1], "--deals", 0, n_deals - 1)
    return range(first, whole_number(ends[2], "--deals", first + 1, n_deals))


def _deals(run: Match, deals: range, legal: bool, form: Form) -> Iterator[str]:
    """Yield each deal as it is to be printed."""
    from simcli.bots.own.decide import Misplay
    from simcli.records.record import record_line
    from simcli.records.replay import replay
    from simcli.records.text import record_text

    try:
        for record in replay(run, deals, legal):
            yield record_line(record) if form is Form.jsonl else record_text(record)
    except Misplay as misplay:
        if misplay.record is not None and form is Form.text:
            yield record_text(misplay.record)
        raise


def _duels(run: Match, vs: str, deals: range, legal: bool, form: Form) -> Iterator[str]:
    """Yield each deal as it is to be printed, played under another variant too."""
    from simcli.records.record import record_line
    from simcli.records.versus import rival_of, versus
    from simcli.records.versus_text import versus_text
    from simcli.rules.load import load_variant
    from simcli.rules.variant import seat

    rival = rival_of(run, seat(load_variant(vs), run.players))
    for duel in versus(run, rival, deals, legal):
        if form is Form.jsonl:
            yield "\n".join(record_line(record) for record in duel.records)
        else:
            yield versus_text(duel)
