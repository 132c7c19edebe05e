"""`simcli init`: a small project to start from."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from simcli.rules.options import Value

README = """\
# How we play

What your table agrees is in `variants/my-table.yaml`. It names only what is otherwise than in `classic`;
change it to what you play. An editor with a YAML language server explains every key while you type.

The first three commands, given in this folder:

```sh
simcli variants show my-table        # the rules of your table, to read and to hand out
simcli compare classic my-table      # who gains from your rules, who pays, and how sure that is
simcli experiment my-question        # the same at several tables, and a page about it to share
```

The last one is asked in `experiments/my-question.yaml`; its page is `reports/my-question.html`.

`simcli variants new another-table` asks one agreement after another and writes a second table beside the
first. What has been played stays in `results/`, and is not played again.
"""

QUESTION = """\
name: my-question
title: How we play
question: What do our two agreements change, and which of them?

# each agreement by itself, and both together as they stand in our file
variants: [classic, five-card-opening, neighbours-only, my-table]
baseline: classic
players: [3, 4]
deals: 100k
"""

TABLE: dict[str, Value] = {
    "title": "How we play",
    "summary": "Five attacks at first, and only the defender's neighbours throw in.",
    "attack.first_limit": 5,
    "throw_in.who": "neighbours",
}


def init(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Folder of the project, which need not exist yet.")
    ] = Path("."),
) -> None:
    """Write a small project to start from.

    A variant of yours, a question about it, and a page with the first three commands. No file is
    ever overwritten.
    """
    from simcli.cli.speech import remark
    from simcli.cli.variant_new import write_files
    from simcli.rules.newfile import refuse_existing
    from simcli.rules.wording import printable_path

    texts = _project(folder)
    refuse_existing(*texts)
    write_files(texts)
    for path in texts:
        remark(f"written: {printable_path(path)}")
    where = f"cd {shlex.quote(printable_path(folder))} && " if folder.resolve() != Path.cwd() else ""
    remark(f"next: {where}simcli compare classic my-table  says what the rules of my-table change")


def _project(folder: Path) -> dict[Path, str]:
    """Return the files of the project with their texts."""
    from simcli.experiments import schema
    from simcli.rules import newfile
    from simcli.rules.shipped import locate_shipped

    variants, experiments = folder / "variants", folder / "experiments"
    table = newfile.variant_file_text("my-table", locate_shipped("classic"), variants, TABLE)
    return {
        folder / "README.md": README,
        variants / "my-table.yaml": table,
        variants / newfile.SCHEMA_FILE: newfile.schema_text(),
        experiments / "my-question.yaml": f"{schema.SCHEMA_LINE}\n{QUESTION}",
        experiments / schema.SCHEMA_FILE: schema.schema_text(),
    }
