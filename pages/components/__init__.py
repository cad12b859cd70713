"""The parts of the pages: a folder per page, named after it, and `shared` for what several of them use."""
