# %% [markdown]
# # Which tiles are too strong?
#
# A civilization in Vinci is a pair of tiles. A designer wants to know which tile is worth more than its price, whether a pair is
# more than the sum of its tiles, and how sure the answer is.

# %% tags=["parameters"]
GAMES = 20_000  # games of four greedy agents
OTHERS = 4_000  # games of each other agent
SEED = 7

# %%
import matplotlib.pyplot as plt

import vinci_lab as vl
from vinci_lab.analysis import plots, plots_balance

rules = vl.ruleset("vinci", players=4)
runs = vl.simulate(rules, games=GAMES, seed=SEED, progress=False)

# %% [markdown]
# ## Points that go with a tile
#
# `estimate` is the difference in final score between two seats of the same game that differ by one tile, this one against an average
# one, net of prices and coins. It is what *happens at the table*: agents choose tiles that suit their position, so it is
# an association and not yet a cause. `p_holm` is adjusted for looking at so many tiles.

# %%
tiles = vl.tile_effects(runs)
figure, ax = plt.subplots(figsize=(6.8, 6.4))
plots.interval_dots(tiles, ax, "tile")
ax.set_xlabel("points of final score, against an average tile (95 % intervals)")
plt.show()

certain = tiles[tiles["p_holm"] < 0.05]
print(
    f"{len(certain)} of {len(tiles)} tiles differ from the average with certainty: "
    f"{(certain['estimate'] > 0).sum()} are better and {(certain['estimate'] < 0).sum()} worse"
)
tiles.set_index("tile")[["estimate", "low", "high", "n", "p_holm", "pick_rate"]].round(3).head(8)

# %% [markdown]
# ## Do people, or at least agents, know?
#
# The share of offers that were taken, against the effect. A tile on the lower right is stronger than its buyers think, one on
# the upper left is a trap.

# %%
figure, ax = plt.subplots(figsize=(6.4, 4))
ax.errorbar(
    tiles["estimate"],
    tiles["pick_rate"],
    xerr=[tiles["estimate"] - tiles["low"], tiles["high"] - tiles["estimate"]],
    yerr=[tiles["pick_rate"] - tiles["pick_rate_low"], tiles["pick_rate_high"] - tiles["pick_rate"]],
    fmt="o",
    markersize=4,
    alpha=0.8,
)
for row in tiles.iloc[[0, 1, 2, -3, -2, -1]].itertuples():
    ax.annotate(row.tile, (row.estimate, row.pick_rate), xytext=(5, 4), textcoords="offset points", fontsize=8)
ax.axvline(0, color="0.6", linestyle="--", linewidth=1)
ax.set_xlabel("points of final score, against an average tile")
ax.set_ylabel("share of offers taken")
plt.show()

# %% [markdown]
# ## Pairs: more than the sum?
#
# `synergy` is what a pair has beyond its two tiles. Rare pairs are shrunk towards the sum, and the false discovery rate is
# controlled, so that the map is not full of accidents.

# %%
pairs = vl.pair_effects(runs)
figure, ax = plt.subplots(figsize=(7.6, 6.6))
plots_balance.pair_map(pairs, ax)
plt.show()
pairs.head(8).round(2)

# %% [markdown]
# ## Whose opinion is it?
#
# A tile may be strong only in the hands of those who play like this. The same question to other agents, on common keys:

# %%
held = vl.skill_sensitivity(rules, ("automaton", "greedy", "greedy:tuned"), games=OTHERS, seed=SEED, progress=False)
held.tiles.head(6).round(2)

# %% [markdown]
# ## How sure are the numbers on the tiles themselves?
#
# The red numbers of most tiles are *reconstructed*: they could not be read off a printed copy, and lie in a known range. An effect
# of a tile whose own number may be off by one should be read with that in mind. What one token more or less does is a quick
# question:

# %%
place = next(one for one in rules.assumed if one["place"].startswith("tiles.") and one["low"] < one["high"])
tile = place["place"].split(".")[1]
print(f"{place['place']} is {place['value']}, and {place['low']} to {place['high']} is possible")
for value in range(place["low"], place["high"] + 1):
    variant = vl.simulate(rules.replace({place["place"]: value}), games=OTHERS, seed=SEED, progress=False)
    row = vl.tile_effects(variant).set_index("tile").loc[tile]
    print(f"  with {value}: {tile} is worth {row['estimate']:+.1f} points ({row['low']:+.1f} to {row['high']:+.1f})")
