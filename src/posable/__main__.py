"""`python -m posable` is `posable`."""

from posable.cli import main

main()
