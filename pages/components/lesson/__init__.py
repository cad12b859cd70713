"""The page Lesson."""
