"""The page Entailment."""
