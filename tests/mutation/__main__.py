"""Run the engine as plain Python, so that mutants need no compiling."""

import os

os.environ["NUMBA_DISABLE_JIT"] = "1"  # before numba is imported

from tests.mutation.command import main

raise SystemExit(main())
