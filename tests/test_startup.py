"""Processes of simcli do not search libraries for garbage while they load them."""

import subprocess
import sys

CODE = """
import gc
{before}
import polars, typer
print(sum(generation["collections"] for generation in gc.get_stats()))
"""


def collections(before: str) -> int:
    code = CODE.format(before=before)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return int(done.stdout)


def test_loading_libraries_takes_few_collections() -> None:
    spared = collections("from simcli.startup import spare_collections; spare_collections()")
    assert spared < collections("") / 2
