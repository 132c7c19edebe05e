"""`simcli variants`: read, compare, check and write the rules of tables."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from simcli.cli.completion import variant_names
from simcli.errors import InputError, Problems, problems_of, refusal

EXIT_INPUT = 2

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
OneVariant = Annotated[
    str,
    typer.Argument(
        metavar="VARIANT",
        help="A variant file, or the name of a variant.",
        show_default=False,
        autocompletion=variant_names,
    ),
]
ManyVariants = Annotated[
    list[str],
    typer.Argument(
        metavar="VARIANT…",
        help="Variant files, or names of variants.",
        show_default=False,
        autocompletion=variant_names,
    ),
]


def list_(as_json: Json = False) -> None:
    """List the variants that have a name here.

    Those of the folder variants/ come first, then those that ship; each with its table sizes and with what it
    does otherwise than classic.
    """
    from simcli.cli.tables import print_json
    from simcli.cli.variant_pages import catalogue, entry_mapping, print_catalogue

    entries, problems = catalogue()
    if as_json:
        print_json([entry_mapping(entry) for entry in entries])
    else:
        print_catalogue(entries)
    if problems:
        raise problems[0]


def show(
    variant: OneVariant,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
    as_json: Json = False,
) -> None:
    """Print the rules of a table for its players."""
    from simcli.cli.tables import print_json
    from simcli.cli.variant_pages import print_sheet, sheet_mapping, sheet_markdown
    from simcli.rules.load import load_variant

    if markdown and as_json:
        raise refusal("simcli variants show", "expected either --markdown or --json, got both")
    loaded = load_variant(variant)
    if as_json:
        print_json(sheet_mapping(loaded))
    elif markdown:
        sys.stdout.write(sheet_markdown(loaded))
    else:
        print_sheet(loaded)


def diff(
    variant: OneVariant,
    other: Annotated[
        str,
        typer.Argument(
            metavar="OTHER",
            help="What it is compared with.",
            autocompletion=variant_names,
            show_default=False,
        ),
    ],
    as_json: Json = False,
) -> None:
    """Say what one variant does otherwise than another.

    In words and as keys. Table sizes are named as keys only.
    """
    from simcli.cli.tables import print_json
    from simcli.cli.variant_pages import diff_mapping, print_diff
    from simcli.rules.load import load_variant

    both = load_variant(variant), load_variant(other)
    if as_json:
        print_json(diff_mapping(*both))
    else:
        print_diff(*both)


def check(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE…",
            help="Variant files, folders of them, or names of variants.",
            show_default=False,
            autocompletion=variant_names,
        ),
    ],
    as_json: Json = False,
) -> None:
    """Check variant files and name every problem, with its line.

    Of a folder every .yaml and .yml file in it is checked. Exit code 2 if any file has a problem.
    """
    from simcli.cli.tables import print_json
    from simcli.cli.variant_pages import verdict_mapping
    from simcli.rules.load import load_variant
    from simcli.rules.wording import printable_path
    from simcli.terminal import fitted

    verdicts = []
    for file in (each for given in files for each in _files_of(given)):
        try:
            load_variant(Path(file) if file and os.path.lexists(file) else file)
            problems = Problems()
        except InputError as error:
            problems = problems_of(error)
        verdicts.append(verdict_mapping(file, problems))
        if problems:
            print(fitted(str(problems), sys.stderr), file=sys.stderr)
        elif not as_json:
            print(f"{printable_path(file)}: OK")
    if as_json:
        print_json(verdicts)
    if not all(verdict["ok"] for verdict in verdicts):
        raise typer.Exit(EXIT_INPUT)


def _files_of(given: str) -> list[str]:
    """Return the variant files of a folder; anything else stands for itself."""
    if not given or not os.path.isdir(given):
        return [given]
    from simcli.rules.shelf import yaml_files
    from simcli.rules.wording import printable_path

    names = yaml_files(Path(given))
    if not names:
        raise refusal(printable_path(given), "expected variant files in it (.yaml or .yml), found none")
    return [os.path.join(given, name) for name in names]


def schema() -> None:
    """Print the JSON Schema of a variant file.

    Editors that know it check a file while one types.
    """
    from simcli.rules.newfile import schema_text

    sys.stdout.write(schema_text())


def hash_(variants: ManyVariants, as_json: Json = False) -> None:
    """Print the hash of what is played.

    It is equal for the same pack and rules, whatever they are called and however many sit at the table.
    """
    from simcli.cli.tables import print_json
    from simcli.rules.canonical import rules_hash
    from simcli.rules.load import load_variant

    loaded = [load_variant(variant) for variant in variants]
    if as_json:
        print_json([{"variant": variant.name, "hash": rules_hash(variant)} for variant in loaded])
        return
    for variant in loaded:
        print(f"{rules_hash(variant)}  {variant.name}")


def new(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Its name: letters, digits, - and _.", show_default=False)
    ],
    base: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="VARIANT",
            help="The variant that it begins with.",
            autocompletion=variant_names,
        ),
    ] = "classic",
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="What is otherwise, such as transfer.mode=late; may be repeated.",
            show_default=False,
        ),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Where it goes. [default: the folder variants if there is one, else here]",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Write a new variant file.

    It names only what is otherwise than in the variant that it begins with. Without --set it asks at the
    terminal, one agreement after another. No file is ever overwritten.
    """
    from simcli.cli.variant_new import asked, write_new
    from simcli.rules.newfile import setting

    values = dict(map(setting, settings)) if settings else None
    write_new(name, base, folder, values if values is not None else asked(name, base, folder))
