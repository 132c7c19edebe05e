"""Settle a position: play the steps of a scenario by the rules and check what it expects."""

from __future__ import annotations

from simcli.engine.game import Game
from simcli.engine.notation import action_text
from simcli.errors import Problem, input_error
from simcli.records.expect import LegalNeedsSeat, askable_seats, legal_of, unmet
from simcli.records.reasons import reason_for, rule_that_allows
from simcli.records.scenario import Scenario
from simcli.records.steps import Step
from simcli.records.verdict import Failure, Finding, Position, Verdict


def settle(scenario: Scenario) -> Verdict:
    """Play a scenario up to its first illegal step or unmet expectation, or to its end.

    Raises
    ------
    InputError
        The file has steps after the end of the deal, or expects `legal` of several seats at once.
    """
    game = scenario.game()
    beginning = Position.of(game)
    findings: list[Finding] = []
    failure = None
    for step in scenario.steps:
        if step.kind == "play" and game.over:
            raise input_error(_after_the_end(scenario, step.number))
        finding = take_step(game, step, scenario)
        findings.append(finding)
        if not finding.ok:
            told = finding.message if step.kind == "expect" else f"{step.text}: {finding.message}"
            failure = Failure(step.line, f"steps[{step.number}]", told, finding.rule)
            break
    title = f"{scenario.variant.name}, {game.players} players"
    legal = [(seat, [action_text(each) for each in legal_of(game, seat)]) for seat in askable_seats(game)]
    return Verdict(
        scenario.where,
        None,
        "scenario",
        scenario.name,
        title,
        beginning,
        tuple(findings),
        failure,
        legal=legal,
    )


def _after_the_end(scenario: Scenario, first: int) -> list[Problem]:
    """Return a problem for each action that stands after the end of the deal."""
    return [
        Problem(
            scenario.where,
            step.line,
            f"steps[{step.number}]",
            f"expected no action after the end of the deal, got {step.text}",
        )
        for step in scenario.steps[first:]
        if step.kind == "play"
    ]


def take_step(game: Game, step: Step, scenario: Scenario) -> Finding:
    """Play or check one step of a scenario in its game."""
    if step.kind == "expect":
        return _check(game, step, scenario)
    reason = reason_for(game, step.seat, step.action)
    if step.kind == "illegal":
        if reason is None:
            message, rule = "expected to be illegal, but the rules allow it", rule_that_allows(step.action)
            return Finding(step.line, "illegal", step.text, False, message, rule, (), (), Position.of(game))
        return Finding(
            step.line, "illegal", step.text, True, reason.text, reason.rule, (), (), Position.of(game)
        )
    if reason is not None:
        return Finding(
            step.line, "play", step.text, False, reason.text, reason.rule, (), (), Position.of(game)
        )
    return play(game, step.seat, step.action, step.line)


def play(game: Game, seat: int, action: int, line: int | None = None) -> Finding:
    """Play a legal action of a seat that may be asked."""
    if seat != game.to_act:
        game.ask(seat)
    events = game.play(action)
    closed = game.closed_table if len(events) > 1 else ()
    text = f"{seat} {action_text(action)}"
    return Finding(line, "play", text, True, "", "", tuple(events), closed, Position.of(game))


def _check(game: Game, step: Step, scenario: Scenario) -> Finding:
    text = ", ".join(step.expected.values)
    try:
        missed = unmet(step.expected, game)
    except LegalNeedsSeat as error:
        key = f"steps[{step.number}].expect.legal"
        raise input_error([Problem(scenario.where, step.line, key, str(error))]) from None
    if missed is None:
        return Finding(step.line, "expect", text, True, "", "", (), (), Position.of(game))
    return Finding(step.line, "expect", text, False, missed.told, missed.rule, (), (), Position.of(game))
