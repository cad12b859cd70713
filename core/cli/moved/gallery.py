"""Where `python -m core.gallery` went."""

raise SystemExit("This program has moved: python -m core.bundled.gallery")
