"""The heads that ship with the project, and how to make them again; `core.bundled.model_evaluation` measures them."""
