"""In the notebook: the board that can be clicked, and playing on it."""
