"""What all pages share: the frame, the controls that choose, the parts that show, and the only caches."""
