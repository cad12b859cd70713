"""What at least two subjects use: the frame, controls that choose, parts that show, cached functions."""
