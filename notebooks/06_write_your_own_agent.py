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
# ## A better one: look before you decline
#
# `view.scores` are the points, `view.state` the record behind the position, and `view.imagine(key)` a full position that fits what
# is seen, to be played on. This agent asks after every conquest how many tokens are left, and declines when the hand is nearly
# empty at the start of a turn.


# %%
def farmer(view):
    """Decline when few tokens are left at the start of a turn; else conquer the cheapest province."""
    words = view.legal_words()
    empire = sum(1 for word in words if word.startswith("conquer"))
    if "decline" in words and empire == 0:
        return "decline" if view.turn > 8 else words[0]
    conquests = [one for one in words if one.startswith("conquer")]
    if conquests:
        costs = {one: _cost(view, one) for one in conquests}
        return min(costs, key=costs.get)
    return words[0]


def _cost(view, words):
    """Return what a conquest costs: try it on a position that looks the same."""
    twin = view.imagine(1)
    events = twin.apply(words)
    return next((event.fields["cost"] for event in events if event.kind == "conquest"), 99)


runs = vl.simulate(
    rules, [farmer, warrior, "greedy", "random"], games=max(PYTHON // 4, 1), seed=SEED, n_jobs=1, progress=False
)
runs.games.groupby("agent", observed=True)[["score", "win_share"]].mean().round(2)

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
