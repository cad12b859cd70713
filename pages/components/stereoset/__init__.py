"""The page Stereotypes."""
