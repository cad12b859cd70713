"""The heads that ship with the project, and how to make them again; `core.bundled.scorecard` measures them."""
