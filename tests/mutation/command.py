"""Break the rules one operator at a time and see whether the tests notice.

python -m tests.mutation                     all of it, on one core
python -m tests.mutation --module draw       one module; --function give_places one function
python -m tests.mutation --limit 50          a sample, spread evenly
python -m tests.mutation --resume            go on, and try again what has survived
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.mutation import results
from tests.mutation.checks import STAGES, all_checks, stages_for, timed
from tests.mutation.equivalent import listed
from tests.mutation.mutator import Mutant, mutants_of
from tests.mutation.report import OTHERS, RULES, markdown, rows, survivors, write_docs
from tests.mutation.trial import Outcome, source_of, trials

MODULES = (*RULES, *OTHERS)


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutation",
        description="Break the engine's rules one operator at a time and see whether the tests notice.",
    )
    parser.add_argument(
        "--module", choices=MODULES, action="append", help="only this module; may be repeated"
    )
    parser.add_argument("--function", action="append", help="only this function; may be repeated")
    parser.add_argument(
        "--notes", action="store_true", help="also where the rules only note which option decided something"
    )
    parser.add_argument("--stage", choices=STAGES, action="append", help="only this stage; may be repeated")
    parser.add_argument("--limit", type=int, help="only so many mutants, spread evenly")
    parser.add_argument("--workers", type=int, default=1, help="processes at once (default 1)")
    parser.add_argument("--results", type=Path, default=results.DEFAULT, help=f"default {results.DEFAULT}")
    parser.add_argument(
        "--resume", action="store_true", help="keep what the results file calls noticed, try the rest"
    )
    parser.add_argument("--report", action="store_true", help="try nothing, tell what the results file says")
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help="bring the tables of docs/mutation.md up to date"
    )
    return parser.parse_args(arguments)


def chosen(
    modules: Sequence[str],
    functions: Sequence[str] | None = None,
    limit: int | None = None,
    notes: bool = False,
) -> list[Mutant]:
    """Return the mutants that are asked for, in the order of modules and text."""
    mutants = [mutant for module in modules for mutant in mutants_of(module, source_of(module))]
    if not notes:
        mutants = [mutant for mutant in mutants if not mutant.notes_only]
    if functions:
        mutants = [mutant for mutant in mutants if mutant.function in functions]
    if limit and limit < len(mutants):
        mutants = [mutants[i * len(mutants) // limit] for i in range(limit)]
    return mutants


def still_to_try(mutants: Sequence[Mutant], before: dict[Mutant, Outcome]) -> list[Mutant]:
    """Return the mutants that nobody has tried or noticed yet, but for those known to be equivalent."""
    hopeless = {entry.key for entry in listed()}
    return [
        mutant
        for mutant in mutants
        if mutant not in before or not (before[mutant].noticed or mutant.key in hopeless)
    ]


def try_all(mutants: Sequence[Mutant], stages: Sequence[str], workers: int, path: Path) -> None:
    """Try mutants and write down at once what became of each."""
    wanted = {stage for mutant in mutants for stage in stages_for(mutant)}
    checks = timed(all_checks([stage for stage in stages if stage in wanted]))
    print(f"{len(checks)} checks pass without a mutant; trying {len(mutants)} mutants", file=sys.stderr)
    gc.collect()
    gc.freeze()
    start = time.monotonic()
    for number, outcome in enumerate(trials(mutants, checks, workers), 1):
        results.append(path, outcome)
        each_s = (time.monotonic() - start) / number
        told = f"{number}/{len(mutants)}, {each_s:.2f} s each: {outcome.mutant.place} {outcome.verdict}"
        print(told, file=sys.stderr)


def tell(outcomes: Sequence[Outcome], write: Path | None) -> int:
    """Print table and survivors; return 1 if anything survived."""
    equivalents = listed()
    table = markdown(rows(outcomes, equivalents))
    unnoticed = survivors(outcomes, equivalents)
    print(table)
    if unnoticed:
        print("\nNo test noticed:\n")
        print("\n".join(unnoticed))
    if write is not None:
        write_docs(write, table, equivalents)
    return 1 if unnoticed else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    options = parsed(arguments)
    mutants = chosen(options.module or RULES, options.function, options.limit, options.notes)
    if not options.resume and not options.report:
        options.results.unlink(missing_ok=True)
    if not options.report:
        waiting = still_to_try(mutants, results.known(options.results, mutants))
        try_all(waiting, options.stage or STAGES, options.workers, options.results)
    outcomes = results.in_order(mutants, results.known(options.results, mutants))
    return tell(outcomes, options.write)
