# %% [markdown]
# # Design your own tile
#
# A tile is a row of numbers in `data/vinci/tabletop/tiles.csv`; what it does is the sum of its columns, and no code knows its
# name. So a new tile needs a spreadsheet and no programmer. Here we make one, **Caravans**, let the agents play with it, and set its
# number so that it is worth an average tile.

# %% tags=["parameters"]
GAMES = 6_000  # games for each try
SEED = 7

# %% [markdown]
# ## A copy of the data to change
#
# The edition is copied to a folder of our own; nothing in the original changes. (In your own work, copy the folder by hand and open
# `tiles.csv` in a spreadsheet.)

# %%
import shutil
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

import vinci_lab as vl
from vinci_lab.analysis import plots
from vinci_lab.datafiles import data_root

folder = Path(tempfile.mkdtemp()) / "data"
shutil.copytree(data_root(), folder)
csv = folder / "vinci" / "tabletop" / "tiles.csv"
tiles = pd.read_csv(csv, dtype=str)
print(", ".join(tiles.columns))

# %% [markdown]
# ## The tile
#
# Caravans earn a point for every desert and pasture and cost a token less in deserts. Two copies go into the bag. The number of
# tokens is the question.

# %%
caravans = dict.fromkeys(tiles.columns, "") | {
    "name": "caravans",
    "title": "Caravans",
    "color": "yellow",
    "copies_first": "2",
    "copies_second": "2",
    "tokens": "3",
    "tokens_low": "3",
    "tokens_high": "3",
    "confidence": "certain",
    "reason": "designed in this notebook",
    "vp_desert": "1",
    "vp_pasture": "1",
    "cost_desert": "-1",
}
pd.concat([tiles, pd.DataFrame([caravans])]).to_csv(csv, index=False)
rules = vl.ruleset("vinci", players=4, data=folder)
{name: value for name, value in rules.content["tiles"]["caravans"].items() if value not in (0, "")}

# %% [markdown]
# A typing error would be a sentence with file, row, column, what was found and what is allowed:

# %%
try:
    rules.replace({"tiles.caravans.tokens": "many"})
except vl.DataError as error:
    print(error)

# %% [markdown]
# ## Is it any good?
#
# The same seed for every number of tokens, so that the tries share their luck. The effect is in points of final score against an
# average tile.

# %%
rows = []
for tokens in range(0, 6):
    runs = vl.simulate(rules.replace({"tiles.caravans.tokens": tokens}), games=GAMES, seed=SEED, progress=False)
    row = vl.tile_effects(runs).set_index("tile").loc["caravans"]
    rows.append({"tokens": tokens, **row[["estimate", "low", "high", "n", "pick_rate"]]})
tries = pd.DataFrame(rows).set_index("tokens")
tries.round(3)

# %%
figure, ax = plt.subplots(figsize=(6.4, 3.4))
ax.fill_between(tries.index, tries["low"], tries["high"], alpha=0.25)
ax.plot(tries.index, tries["estimate"], "o-")
ax.axhline(0, color="0.5", linestyle="--", linewidth=1)
ax.set_xlabel("tokens of Caravans")
ax.set_ylabel("points against an average tile")
plt.show()

even = tries["estimate"].abs().idxmin()
print(
    f"nearest to an average tile: {even} tokens, {tries.loc[even, 'estimate']:+.1f} points "
    f"({tries.loc[even, 'low']:+.1f} to {tries.loc[even, 'high']:+.1f})"
)

# %% [markdown]
# ## What does it do to the others?
#
# A tile that fills the bag changes what every other tile is worth. Here is the whole table with Caravans at that number.

# %%
final = rules.replace({"tiles.caravans.tokens": int(even)})
effects = vl.tile_effects(vl.simulate(final, games=GAMES, seed=SEED, progress=False))
figure, ax = plt.subplots(figsize=(6.8, 6.4))
plots.interval_dots(effects, ax, "tile")
ax.get_yticklabels()[list(effects["tile"]).index("caravans")].set_fontweight("bold")
ax.set_xlabel("points of final score, against an average tile")
plt.show()

# %% [markdown]
# ## Before you print it
#
# - This is the market's view: who buys Caravans does so where deserts are near. What a *dealt* tile does is another design.
# - The map's terrains are reconstructed, and Caravans live on deserts and pastures: on the printed map there may be more or
#   fewer of them.
# - Play with it: `vl.play(final)`. A number that is fair need not be fun.
