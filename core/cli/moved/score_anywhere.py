"""Where `core.score_anywhere` went."""

if __name__ == "__main__":
    raise SystemExit("This program has moved: python data/programs/score_anywhere.py")
raise ImportError("core.score_anywhere is now data/programs/score_anywhere.py")
