"""Games and runs in the notebook."""
