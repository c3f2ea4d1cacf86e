"""``python -m vinci_lab.cli``."""

from vinci_lab.cli import main

main()
