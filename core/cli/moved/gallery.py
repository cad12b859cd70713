"""Where `core.gallery` went."""

if __name__ == "__main__":
    raise SystemExit("This program has moved: python -m workshop.gallery")
raise ImportError("core.gallery is now core.studies.gallery")
