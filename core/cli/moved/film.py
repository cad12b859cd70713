"""Where `core.film` went."""

if __name__ == "__main__":
    raise SystemExit("This program has moved: python -m workshop.learning_curves")
raise ImportError("core.film is now core.training.learning_curves")
