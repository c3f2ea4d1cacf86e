"""Agents: who decides. ``random`` and ``greedy`` are compiled and serve every game; any Python callable can join."""
