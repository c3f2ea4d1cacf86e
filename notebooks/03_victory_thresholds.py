# %% [markdown]
# # Which victory threshold?
#
# The game ends in the round in which somebody reaches the threshold. A lower one makes a shorter game; does it also favor a
# seat, or make comebacks impossible? Every value is *played again*, because agents that see the end coming play towards it.

# %% tags=["parameters"]
GAMES = 5_000  # games for each threshold
VALUES = range(80, 161, 10)
SEED = 7

# %%
import matplotlib.pyplot as plt

import vinci_lab as vl
from vinci_lab.analysis import plots_balance

rules = vl.ruleset("vinci", players=4)
curve = vl.threshold_curve(rules, VALUES, games=GAMES, seed=SEED)

# %% [markdown]
# ## What each threshold does
#
# The bands hold for *all* values of a curve together. The dotted line is the value in the rules. `minutes` are turns times two
# minutes, which is an assumption and no result.

# %%
figure, axes = plt.subplots(2, 2, figsize=(9.6, 6))
for ax, metric in zip(axes.flat, ("rounds", "lead_changes", "comebacks", "seat_bias"), strict=True):
    plots_balance.curve(curve, ax, metric)
figure.tight_layout()
plt.show()

# %% [markdown]
# Read it like this: where a band is narrow against the slope, the effect of the threshold is certain; where a horizontal line
# fits inside the band from end to end, these games cannot tell the values apart. With few games the seat bias is too high by
# chance, and its band says so.

# %%
length = curve[curve["metric"] == "rounds"].set_index("value")
length[["is_printed", "estimate", "low", "high", "band_low", "band_high", "n"]].round(2)

# %% [markdown]
# ## A wish, and the value that fits it
#
# Half of the games choose, the other half judge, so that the choice does not flatter itself.

# %%
found = vl.recommend_threshold(rules, VALUES, games=2 * GAMES, seed=SEED, target_rounds=9, seat_bias=0.03)
found[["value", "printed", "metric", "wish", "estimate", "low", "high", "verdict"]].round(3)

# %% [markdown]
# ## Change against the rules as they are
#
# The same games by both rules. `games_needed` says how many it takes to see a difference of `difference` with a chance of 80 %.

# %%
recommended = int(found["value"].iloc[0])
other = recommended if recommended != 120 else 110
table = vl.compare(rules, rules.replace({"victory_threshold": other}), games=GAMES, seed=SEED)
figure, ax = plt.subplots(figsize=(7.2, 5))
plots_balance.differences(table, ax)
ax.set_title(f"{other} points instead of 120", fontsize=10)
plt.show()

# %% [markdown]
# ## Do better players see the same?
#
# A threshold is for people, and people are neither greedy nor random. If agents of different skill agree on the direction, the
# conclusion rests less on how they play.

# %%
few = sorted({min(VALUES), 120, max(VALUES)} & set(VALUES))
for agent in ("random", "greedy", "greedy:tuned"):
    told = vl.threshold_curve(rules, few, games=max(GAMES // 5, 2), seed=SEED, agents=agent)
    rounds = told[told["metric"] == "rounds"]
    words = ", ".join(
        f"{row.value}: {row.estimate:.1f} ({row.low:.1f} to {row.high:.1f})" for row in rounds.itertuples()
    )
    print(f"{agent:>13}: rounds by threshold {words}")

# %% [markdown]
# The thresholds and the points of provinces are printed and certain; the map and most red numbers are reconstructed, and how fast
# points come depends on them. The *direction* of these curves is a result about the rules, the exact length one about this
# reconstruction.
