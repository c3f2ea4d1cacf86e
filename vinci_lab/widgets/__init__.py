"""Games and runs in the notebook: the board, playing on it, replays and tables."""
