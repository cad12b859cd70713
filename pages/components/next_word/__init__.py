"""The page Next word."""
