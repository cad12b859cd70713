"""Where `python -m core.score_anywhere` went."""

raise SystemExit("This program has moved: python data/programs/score_anywhere.py")
