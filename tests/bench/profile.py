"""Where the engine's time goes, phase by phase: samples of the compiled code, told apart by source line.

    python -m tests.bench.profile                 measure and print
    python -m tests.bench.profile --write         put it into docs/performance.md between the marks
    python -m tests.bench.profile --cache DIR     keep the engine that is compiled for it

Linux only: it takes `perf`, and `addr2line` of binutils. The engine is one compiled function in which all
others are inlined. So it is compiled once more with line numbers, into a cache of its own (half a minute),
and each sample is looked up in them: it belongs to the innermost function of the engine that is a phase.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "performance.md"
BLOCK = "profile"
BOTS = ("lowest", "thrifty")
CPU_S = 3.0
ELF = b"\x7fELF"
PHASES = {
    "deal": ("deal.py",),
    "legal": ("legal.py",),
    "choose": (),  # whatever else lies in simcli/bots
    "apply": ("apply.py", "bout.py", "actions.py", "game.py"),
    "draw": ("draw.py",),
    "what decided": ("triggers.py",),
    "rows": ("batch.py",),
}


def play(bots: str, folder: Path) -> None:
    """Play for a while, having written down where the compiled code lies; run under perf."""
    from simcli.bots.batch import play_simple
    from simcli.bots.lineup import parse_lineup
    from simcli.engine.jit import CACHE_DIR
    from simcli.rules.load import load_variant
    from simcli.runs.bench.player import Player
    from simcli.runs.plan import Match

    variant = load_variant("classic")
    player = Player(Match(variant, parse_lineup(bots, variant.players), 1, 1))
    player.sample(0.05)
    (cached,) = CACHE_DIR.rglob("*.play_simple-*.nbc")
    content = cached.read_bytes()
    (folder / "engine.o").write_bytes(content[content.index(ELF) :])
    (compiled,) = play_simple.overloads.values()
    name = compiled.fndesc.llvm_func_name
    (folder / "entry").write_text(f"{compiled.library.get_pointer_to_function(name)} {name}")
    player.sample(CPU_S)


def shares(bots: str, folder: Path, cache: Path) -> dict[str, float]:
    """Return the share of each phase."""
    data = folder / "perf.data"
    program = [sys.executable, "-m", "tests.bench.profile", "--play", bots, str(folder)]
    environment = {
        **os.environ,
        "NUMBA_DEBUGINFO": "1",
        "XDG_CACHE_HOME": str(cache),
        "PYTHONPATH": str(ROOT),
    }
    _output(sys.executable, "-m", "tests.bench.profile", "--play", bots, str(folder), environment=environment)
    _output("perf", "record", "-q", "-o", str(data), *program, environment=environment)
    samples = Counter(_offsets(folder, data))
    counted: Counter[str] = Counter()
    for address, phase in _phases(folder / "engine.o", sorted(samples)):
        counted[phase] += samples[address]
    return {phase: counted[phase] / counted.total() for phase in PHASES}


def _offsets(folder: Path, data: Path) -> Iterator[int]:
    """Yield the place of each sample that lies in the compiled engine."""
    address, name = (folder / "entry").read_text().split()
    lines = (line.split() for line in _output("readelf", "-sW", str(folder / "engine.o")).splitlines())
    functions = sorted((int(w[1], 16), int(w[2], 0), w[7]) for w in lines if len(w) == 8 and w[3] == "FUNC")
    (entry,) = (begin for begin, _, function in functions if function == name)
    begins = [begin for begin, _, _ in functions]
    for word in _output("perf", "script", "-i", str(data), "-F", "ip").split():
        offset = int(word, 16) - int(address) + entry
        at = bisect_right(begins, offset) - 1
        if at >= 0 and offset < begins[at] + functions[at][1]:
            yield offset


def _phases(engine: Path, addresses: list[int]) -> Iterator[tuple[int, str]]:
    """Yield the phase of each address: that of the innermost inlined function that belongs to one."""
    told = _output("addr2line", "-a", "-i", "-e", str(engine), *map(hex, addresses))
    for block in told.split("0x")[1:]:
        address, *places = block.splitlines()
        phases = (_phase_of(Path(place.rsplit(":", 1)[0])) for place in places)
        yield int(address, 16), next((phase for phase in phases if phase), "rows")


def _phase_of(path: Path) -> str | None:
    for phase, names in PHASES.items():
        if path.name in names:
            return phase
    return "choose" if path.parent.name == "bots" else None


def _output(*command: str, environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, cwd=ROOT)
    return done.stdout


def table(cache: Path | None) -> str:
    """Return the shares as a table of Markdown."""
    with tempfile.TemporaryDirectory() as folder:
        found = {bots: shares(bots, Path(folder), cache or Path(folder)) for bots in BOTS}
    lines = [f"| phase | {' | '.join(f'`{bots}`' for bots in BOTS)} |", f"|---|{'---:|' * len(BOTS)}"]
    for phase in PHASES:
        lines.append(f"| {phase} | {' | '.join(f'{found[bots][phase]:.1%}' for bots in BOTS)} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Measure, and print or write what was found."""
    parser = argparse.ArgumentParser(description="Measure where the engine's time goes.")
    parser.add_argument("--write", action="store_true", help="put it into docs/performance.md")
    parser.add_argument("--cache", type=Path, metavar="DIR", help="keep the compiled engine here")
    parser.add_argument("--play", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.play:
        play(options.play[0], Path(options.play[1]))
        return 0
    text = table(options.cache)
    if not options.write:
        print(text)
        return 0
    from simcli.runs.marked import with_block

    page = with_block(PAGE.read_text(encoding="utf-8"), BLOCK, f"\n{text}\n")
    PAGE.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
