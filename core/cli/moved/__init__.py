"""Programs by the names they had before the wings: each says what to type instead."""
