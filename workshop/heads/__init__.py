"""The heads that ship with the project, and how to make them again; `workshop.model_evaluation` measures them."""
