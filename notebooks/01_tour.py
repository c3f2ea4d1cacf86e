# %% [markdown]
# # A tour: from a rulebook to an answer with an interval
#
# You have a board game and a question, such as *is the first seat ahead?* This notebook goes once around the laboratory:
# read the rules, play thousands of games, ask, look at one game, and change a number.
#
# Everything here is simulated by the agents of the house. They are not people, and not every printed number of Vinci could be
# consulted; the last section says which ones are reconstructed.

# %% tags=["parameters"]
GAMES = 20_000  # games to play; the same seed gives the same games on any machine
SEED = 7

# %% [markdown]
# ## The rules are data
#
# `ruleset` reads `data/vinci/tabletop`, checks every number, and gives back something that cannot change by accident.
# A variant is another ruleset.

# %%
import matplotlib.pyplot as plt
import pandas as pd

import vinci_lab as vl
from vinci_lab.analysis import plots, plots_balance
from vinci_lab.games.vinci.drawing import draw_measure
from vinci_lab.widgets.still import still

rules = vl.ruleset("vinci", players=4)
shorter = rules.replace({"victory_threshold": 100})
print(rules)
print("the variant has another hash:", shorter.hash)

# %% [markdown]
# ## Thousands of games
#
# Game 17 of seed 7 is always the same game, however many are played and on however many cores. A run is five tidy
# tables: `games`, `turns`, `holdings`, `offers` and `places`.

# %%
runs = vl.simulate(rules, agents="greedy", games=GAMES, seed=SEED, progress=False)
print(runs)
runs.games.head()

# %% [markdown]
# ## Is the first seat ahead?
#
# The share of the win of each place in turn order, with its 95 % interval. The dashed line is the even share. Seats of a game
# depend on one another, so the interval takes a *game* as the unit.

# %%
seats = vl.seat_effects(runs)
figure, ax = plt.subplots(figsize=(6.4, 3))
plots.share_bars(seats, ax, [f"place {place + 1}" for place in seats["turn_order"]], reference=1 / rules.players)
ax.set_ylabel("share of the win")
plt.show()

best = seats.loc[seats["estimate"].idxmax()]
print(
    f"place {int(best['turn_order']) + 1} wins most: {best['estimate']:.1%} ({best['low']:.1%} to {best['high']:.1%}) "
    f"of the games; even would be {1 / rules.players:.1%}"
)

# %% [markdown]
# ## How long is a game, and when is it decided?
#
# Scores by final place after every round: the median, and the middle half of the best and the last as bands. Where the bands
# part, the game is decided.

# %%
figure, ax = plt.subplots(figsize=(6.4, 3.2))
plots_balance.fans(vl.score_fans(runs), ax)
plt.show()
vl.pace(runs).set_index("quantity")[["unit", "estimate", "low", "high", "n"]].round(2)

# %% [markdown]
# ## One of these games, on the board
#
# Any game of any run opens again from its seed and index. `vl.replay` shows it with its log; move the slider, jump to declines or to
# changes of the lead, and take a seat with *play on from here*. A saved page shows a picture instead.

# %%
vl.replay(runs, game=17, turn=24)

# %% [markdown]
# ## Where is there fighting?
#
# The table `places` counts by province. Here: conquests per game.

# %%
places = runs.places
per_game = dict(zip(places["province"], places["conquests"] / runs.completed, strict=True))
still(draw_measure(rules, per_game, "conquests per game", theme="light"))

# %% [markdown]
# ## What if a game ended at 100 points?
#
# `compare` plays the same games by both rules. Most of the luck cancels, and the difference is found with far fewer games.

# %%
table = vl.compare(rules, shorter, games=max(GAMES // 4, 2), seed=SEED)
table.set_index("metric")[["a", "b", "estimate", "low", "high", "games_needed"]].head(6).round(3)

# %% [markdown]
# ## How far to trust this
#
# Every number of the rules says how sure it is. These are not certain, with the values they might have on a printed copy:

# %%
assumed = pd.DataFrame(rules.assumed)[["place", "value", "low", "high", "confidence"]]
print(len(assumed), "numbers that matter here are not certain; the first ten:")
assumed.head(10)

# %% [markdown]
# Next: [which tiles are too strong](02_tile_balance.ipynb), [which victory threshold](03_victory_thresholds.ipynb),
# [play a game](04_play.ipynb), [design a tile](05_design_your_own_tile.ipynb), [write an agent](06_write_your_own_agent.ipynb),
# [replay and explore](07_replay_and_explore.ipynb).
