"""The page Your experiment."""
