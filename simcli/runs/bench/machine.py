"""What the figures were measured on, without anything that names the machine or its owner."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from simcli.runs.bench.yardstick import COMPILER, can_compile
from simcli.runs.identity import engine_identity

CPU_INFO = Path("/proc/cpuinfo")
BUSY_SHARE = 0.25


def machine(cores: int) -> dict[str, str]:
    """Return the processor, the versions that matter, the day, and how busy the machine has been."""
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
        "simcli": f"{engine['version']}, engine signature {engine['signature']}",
        "measured": datetime.now(UTC).date().isoformat(),
        "load before": f"{os.getloadavg()[0]:.1f}",
    }


def busy_warning(cores: int) -> str | None:
    """Return a warning if others keep the machine busy, so that what goes by the clock comes out too slow."""
    load = os.getloadavg()[0]
    if load < BUSY_SHARE * cores:
        return None
    return f"warning: the machine is busy (load {load:.1f}); what is measured by the clock will be too slow"


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
