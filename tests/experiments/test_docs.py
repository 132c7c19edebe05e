"""The documents say what an experiment may hold, and what comes of it."""

import re

from simcli.experiments.experiment import Experiment
from simcli.experiments.result import Result
from tests.test_docs import FORMATS, first_cells, section, words_of


def test_the_keys_of_an_experiment_file_are_documented_in_their_order() -> None:
    text = FORMATS[FORMATS.index("<!-- experiment keys: begin") : FORMATS.index("<!-- experiment keys: end")]
    named = [name for cell in first_cells(text) for name in re.findall(r"\w+", cell)]
    assert named == list(Experiment.model_fields)


def test_the_keys_of_an_experiment_as_json_are_documented() -> None:
    experiment = Experiment(name="x", question="Why?")
    text = section(FORMATS, "### An experiment as JSON")
    assert set(Result(experiment, (), {}, (), (), (), ()).to_dict()) <= words_of(text)
