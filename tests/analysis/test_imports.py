import subprocess
import sys

import pytest

NUMBERS = ["adjust", "means", "paired", "positions", "rates", "sequences", "sizes", "verdict"]


@pytest.mark.parametrize("slow_to_import", ["scipy", "statsmodels", "pandas"])
def test_the_numbers_wait_with_slow_imports_until_they_are_needed(slow_to_import: str) -> None:
    code = "\n".join(
        [*(f"import simcli.analysis.{name}" for name in NUMBERS), "import sys", "print(*sys.modules)"]
    )
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert "simcli.analysis.verdict" in loaded.split()
    assert slow_to_import not in loaded.split()
