"""Play deals of a run again, and keep their records."""

from __future__ import annotations

from collections.abc import Iterator

from simcli.bots.own.play import decide_seen
from simcli.engine.game import Event, Game
from simcli.errors import refusal
from simcli.records.record import Record, record_deal
from simcli.rules.wording import printable_path
from simcli.runs import plan as runs
from simcli.runs.folder import RunFolder, no_run
from simcli.runs.identity import engine_identity, engine_text, is_this_engine
from simcli.runs.planfile import load_plan
from simcli.runs.store.location import Location


def replay(run: runs.Match, deals: range, legal: bool = False) -> Iterator[Record]:
    """Yield the records of some deals, played again.

    Parameters
    ----------
    run : simcli.runs.plan.Match
        What is played: variant, line-up, seed and length of the sessions.
    deals : range
        Indices of the deals, one after another.
    legal : bool
        Whether each decision lists its legal actions.
    """
    previous: Event | None = None
    for deal in range(first_of_session(run, deals.start), deals.stop):
        if deal % run.session == 0:
            previous = None
        game = Game.deal(run.variant, run.players, run.seed, deal, previous=previous, bots=run.lineup.slots)
        if deal in deals:
            yield record_deal(game, run, deal, previous, legal)
        else:
            _play_out(game)
        previous = game.summary()


def first_of_session(run: runs.Match, deal: int) -> int:
    """Return the index of the deal that opens the session of a deal."""
    return deal - deal % run.session


def _play_out(game: Game) -> None:
    """Let the bots play a deal that nobody asked to see."""
    while not game.over:
        game.play_move(decide_seen(game.state, game.table))


def plan_of_folder(folder: Location) -> runs.Plan:
    """Return the plan of a run folder.

    Raises
    ------
    InputError
        There is no such folder, no plan in it, or none that can be read.
    """
    where = printable_path(folder)
    run = RunFolder(folder)
    if not run.is_there():
        raise refusal(where, "expected the folder of a run, there is none – `simcli runs` lists them")
    if not run.has_plan():
        raise no_run(folder, only_one=True)
    return load_plan(run.plan_path)


def other_engine(plan: runs.Plan) -> str | None:
    """Return a warning if the engine that played a run plays otherwise than this one, else None."""
    if is_this_engine(plan.engine, plan.match.tuned):
        return None
    theirs, ours = engine_text(plan.engine), engine_text(engine_identity(plan.match.tuned))
    return f"this run was played by engine {theirs}, not by {ours}: its deals may have gone another way"
