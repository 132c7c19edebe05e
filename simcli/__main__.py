"""Run the command line: ``python -m simcli``."""

from simcli.cli.main import main

if __name__ == "__main__":
    main()
