"""Processes of simcli do not search libraries for garbage while they load them."""

import subprocess
import sys

import pytest

CODE = """
import gc
{before}
import polars, typer
print(sum(generation["collections"] for generation in gc.get_stats()))
"""


@pytest.mark.parametrize("spared", [False, True])
def test_loading_libraries_takes_few_collections(spared: bool) -> None:
    before = "from simcli.startup import spare_collections; spare_collections()" if spared else ""
    code = CODE.format(before=before)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (int(done.stdout) < 40) is spared
