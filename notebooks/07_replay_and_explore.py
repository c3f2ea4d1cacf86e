# %% [markdown]
# # Replay and explore
#
# A figure raises a question, and the answer is often in a single game. This notebook goes from thousands of games to one row that looks
# odd, from there to that game on the board, and on to *what if this number were another?*
#
# The widgets are alive when you run the cells; a saved page shows still pictures.

# %% tags=["parameters"]
GAMES = 2_000
MOST = 4_000  # games with each of the rules in the comparison below
SEED = 7

# %%
import vinci_lab as vl

# %matplotlib inline

rules = vl.ruleset("vinci", players=4)
runs = vl.simulate(rules, ["greedy:tuned", "greedy", "greedy", "greedy"], games=GAMES, seed=SEED, progress=False)

# %% [markdown]
# ## Explore
#
# Filter by seat, agent, tile or round. The left figure shows how a number is spread among the rows that pass (the line: all rows); the right
# one its mean with 95 % intervals that take a game as the unit. Below it stand the rows that are farthest from the middle:
# click on one, and its game opens at that turn. *save CSV* and *save Parquet* write the rows that pass.

# %%
vl.explore(runs)

# %% [markdown]
# ## The same in code
#
# What the widget shows can be computed without it, for a report or a test.

# %%
from vinci_lab.widgets.selection import Explored, Filters, outliers

explored = Explored.of(runs)
lives = explored.chosen("holdings", Filters(agents=frozenset({"greedy:tuned"})))
odd = outliers(lives, "points_active", most=5)
odd[["unusual", "points_active", "game", "seat", "holding", "first_tile", "second_tile", "turns_active"]].round(1)

# %% [markdown]
# ## From an odd row to its game
#
# The civilization with the most unusual number of points. How did it come about? *Play on from here* lets you try to do better.

# %%
row = odd.iloc[0]
game = int(row["game"])
turns = runs.turns.query("game == @game and seat == @row.seat and holding == @row.holding")
shown = vl.replay(runs, game=game, turn=int(turns["turn"].max()) + 1)
print(f"game {game}: seat {row.seat} with {row.first_tile} and {row.second_tile}, {row.points_active} points")
shown

# %% [markdown]
# `shown.film` has the game as frames, with marks to jump to:

# %%
{name: len(frames) for name, frames in shown.film.marks.items()}

# %% [markdown]
# ## What if?
#
# The second tab of `vl.explore` changes numbers of the rules with controls, plays both rules on common keys in the background, and can be
# stopped at any moment. Its intervals are *confidence sequences*: they hold at all numbers of games at once, so that looking early
# and stopping when they say enough is no cheating. In code:

# %%
from vinci_lab.widgets.what_if import WhatIf
from vinci_lab.widgets.what_if_panel import draw_sequence

what_if = WhatIf(
    rules, rules.replace({"tiles.mountaineering.tokens": 1, "victory_threshold": 110}), games=MOST, seed=SEED
)
for played in what_if.run():
    sequence = what_if.sequence("margin")
    if len(sequence) and (sequence["low"].iloc[-1] > 0 or sequence["high"].iloc[-1] < 0):
        print(f"after {played:,} games with each of the rules the margin is certain to differ, so we stop")
        what_if.stop()
if not what_if.is_stopped:
    print(f"after all {what_if.played:,} games 0 is still among the possible differences")

# %%
figure = draw_sequence(sequence, "margin", what_if.level)
figure.set_facecolor("white")
display(figure)
what_if.table().set_index("metric")[["a", "b", "estimate", "sequence_low", "sequence_high", "decided_at"]].head(
    6
).round(3)

# %% [markdown]
# Not every number of the rules could be read off a printed copy. What is changed here:

# %%
from vinci_lab.widgets.changes import Changes

changes = Changes(rules, {"tiles.mountaineering.tokens": 1, "rules.victory_threshold": 110})
print("; ".join(changes.words))
print("not certain: " + ("; ".join(changes.assumed) or "none of these"))

# %% [markdown]
# The map and most red numbers are reconstructed too, changed or not: `rules.assumed` lists them, and a result that hangs on one of
# them is one about this reconstruction.
