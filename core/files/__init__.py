"""User files: tables, items and labels from files, and back. What is wrong with one is said in words."""
