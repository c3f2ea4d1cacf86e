"""Games in a browser for people without Jupyter: what the page of ``vinci-lab play`` runs, and how it is served."""
