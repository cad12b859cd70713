"""Where `python -m core.film` went."""

raise SystemExit("This program has moved: python -m core.bundled.film")
