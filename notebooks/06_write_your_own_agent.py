# %% [markdown]
# # Write your own agent
#
# Results are results about those who play. So write a player of your own: any function that answers a view with an action. It
# gets what its seat may see and nothing else.

# %% tags=["parameters"]
PYTHON = 200  # games of an agent in Python
LADDER = 40  # seeds of the ladder; each is played with all rotations of the seats
FAST = 4_000  # games of a compiled agent
SEED = 5

# %%
import matplotlib.pyplot as plt

import vinci_lab as vl
from vinci_lab.analysis import ladder as ladders
from vinci_lab.analysis.rates import mean_interval

rules = vl.ruleset("vinci", players=4)

# %% [markdown]
# ## A first agent
#
# `view.legal_words()` says in words what is allowed. This one conquers whenever it can.


# %%
def warrior(view):
    """Conquer whenever that is allowed, else take the first action."""
    words = view.legal_words()
    return next((one for one in words if one.startswith("conquer")), words[0])


runs = vl.simulate(rules, [warrior, "greedy", "random", "random"], games=PYTHON, seed=SEED, n_jobs=1, progress=False)
runs.games.groupby("agent", observed=True)[["score", "win_share"]].mean().round(2)

# %% [markdown]
# An agent that answers with something that is not allowed is stopped with a sentence that names the game, the turn, and what would
# have been allowed:


# %%
def cheat(view):
    """Try to decline all the time."""
    return "decline"


try:
    vl.simulate(rules, [cheat, "greedy", "greedy", "greedy"], games=1, seed=SEED, n_jobs=1, progress=False)
except vl.AgentError as error:
    print(error)

# %% [markdown]
# ## A second one: look ahead
#
# `view.scores` are the points, `view.state` the record behind the position, and `view.imagine(key)` a full position that fits what
# is seen, to be played on. This agent tries before it decides: it declines when no province is in reach, and takes the
# cheapest one otherwise.


# %%
def settler(view):
    """Decline when nothing can be conquered, else conquer the cheapest province."""
    words = view.legal_words()
    if "decline" in words and in_reach(view) == 0:
        return "decline"
    conquests = [one for one in words if one.startswith("conquer")]
    return min(conquests, key=lambda one: cost(view, one)) if conquests else words[0]


def in_reach(view):
    """Return how many provinces could be conquered first, by trying on a position that looks the same."""
    twin = view.imagine(1)
    twin.apply("play on")
    return sum(one.startswith("conquer") for one in twin.legal_words())


def cost(view, words):
    """Return what a conquest costs, in the same way."""
    events = view.imagine(1).apply(words)
    return next((event.fields["cost"] for event in events if event.kind == "conquest"), 99)


runs = vl.simulate(rules, [settler, warrior, "greedy", "random"], games=PYTHON, seed=SEED, n_jobs=1, progress=False)
runs.games.groupby("agent", observed=True)[["score", "win_share", "declines"]].mean().round(2)

# %% [markdown]
# Is it better? They sat at the same tables, so the difference is taken game by game, and its interval says how sure it is:

# %%
scores = runs.games.pivot(index="game", columns="agent", values="score")
apart = mean_interval(scores["settler"] - scores["warrior"])
print(f"settler less warrior: {apart.estimate:+.1f} points ({apart.low:+.1f} to {apart.high:+.1f}) in {apart.n} games")
if apart.low > 0 or apart.high < 0:
    print("that is certain enough;", "the second is better" if apart.low > 0 else "looking ahead in this way is worse")
else:
    print("that may be chance: play more games")

# %% [markdown]
# ## The ladder
#
# Agents in rotated seats on the same draws. The matrix says who ends before whom, with a game and all its rotations as the unit of
# the intervals.

# %%
table = vl.ladder(
    rules, [warrior, "greedy", "greedy:tuned", "random"], games=4 * LADDER, seed=SEED, n_jobs=1, progress=False
)
figure, ax = plt.subplots(figsize=(5.4, 4))
ladders.draw_matrix(table.matrix, list(table.shares["agent"]), ax)
plt.show()
table.shares.round(3)

# %% [markdown]
# ## At full speed
#
# A function that Numba can compile plays in the same loop as the agents of the house, some thousand games a second. It gets records
# instead of words; the fields are in `vinci_lab/games/vinci/rules_layout.py`.


# %%
@vl.compiled_agent(game="vinci")
def hermit(tables, view, seat, allowed, key):
    """Take any action that is allowed, but never conquer what somebody holds."""
    legal = allowed.nonzero()[0]
    for step in range(len(legal)):
        action = legal[(key + step) % len(legal)]
        if not (128 <= action < 192 and view.tokens[action - 128] > 0):
            return action
    return legal[0]


fast = vl.simulate(rules, [hermit, "random", "random", "random"], games=FAST, seed=SEED, progress=False)
seats = fast.games.groupby("agent", observed=True)["win_share"]
print(f"{fast.played:,} games in {fast.seconds:.1f} s")
print(f"hermit has {seats.mean()['hermit']:.1%} of the wins against three random players; even would be 25 %")

# %% [markdown]
# ## Why it matters for balance
#
# Ask every balance question to more than one agent. `vl.skill_sensitivity` does it for tiles and seats: see
# [tile balance](02_tile_balance.ipynb). The rules these agents play hold reconstructed numbers, which `rules.assumed` lists.
