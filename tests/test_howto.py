"""docs/how-to: what the pages show runs, and prints what they say that it prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from simcli.engine.jit import JIT_ENABLED
from tests.cli.test_run import Simcli, simcli
from tests.howto import blocks, commands

__all__ = ["simcli"]

PAGE = "write-a-bot.md"


@pytest.mark.skipif(not JIT_ENABLED, reason="a minute without compiled code")
def test_the_bots_of_the_page_are_checked_and_play(
    simcli: Simcli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("simcli.runs.check_bot.shipped_names", lambda: ["partners", "duel", "full-pack"])
    for name, content in zip(("my_bot.py", "fast_bot.py"), blocks(PAGE, "python"), strict=True):
        (tmp_path / name).write_text(content, encoding="utf-8")
    printed = ""
    for words in commands(PAGE):
        result = simcli(*words)
        assert result.code == 0, (words, result.err, result.out)
        printed += result.out
    for block in blocks(PAGE, "text"):
        assert all(line in printed for line in block.splitlines())
    assert "my_bot.py:choose loses " in printed
