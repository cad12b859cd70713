"""What the bundled models make of the worked examples, lessons and samples: the results and scores that ship."""
