"""What the figures were measured on, without anything that names the machine or its owner."""

from __future__ import annotations

import platform
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from simcli.runs.bench.yardstick import COMPILER, can_compile
from simcli.runs.identity import engine_identity

CPU_INFO = Path("/proc/cpuinfo")


def machine(cores: int) -> dict[str, str]:
    """Return the processor, the versions that matter and the day."""
    import numba
    import numpy
    import polars

    engine = engine_identity()
    return {
        "processor": f"{cpu_name()}, {cores} cores",
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"Python {platform.python_version()}",
        "libraries": f"numba {numba.__version__}, numpy {numpy.__version__}, polars {polars.__version__}",
        "compiler": compiler_name(),
        "simcli": f"{engine['version']} (engine {engine['sources']})",
        "measured": datetime.now(UTC).date().isoformat(),
    }


def cpu_name(info: Path = CPU_INFO) -> str:
    """Return the processor's name, or at least its kind."""
    try:
        found = re.search(r"^model name\s*:\s*(.+)$", info.read_text(encoding="utf-8"), re.MULTILINE)
    except OSError:
        found = None
    return found.group(1).strip() if found else platform.processor() or platform.machine()


def compiler_name() -> str:
    """Return the C compiler of the yardstick with its version, or that there is none."""
    if not can_compile():
        return f"no {COMPILER}"
    done = subprocess.run([COMPILER, "-dumpfullversion"], capture_output=True, text=True)
    return f"{COMPILER} {done.stdout.strip()}"
