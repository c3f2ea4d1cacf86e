# %% [markdown]
# # Play
#
# Designers learn more from one game than from a table. Take a seat against the agents, here on the page: point at a province to see
# what it costs and why, click to act, take back, and ask an agent what it would do.
#
# No Jupyter? `vinci-lab play` opens the same board in a browser.

# %% tags=["parameters"]
SEED = 3  # the same seed and the same decisions give the same game

# %%
import vinci_lab as vl

rules = vl.ruleset("vinci", players=4)
game = vl.play(rules, seats=["human", "greedy", "greedy", "greedy"], seed=SEED)
game

# %% [markdown]
# *A saved page shows a still picture of the board; run the cell to play.*
#
# - **Tab** and the arrow keys go around the board, **Enter** is a click, **+** and **-** ask for more or less.
# - **Hint** asks an agent and says what speaks for it. `search` thinks longer than `greedy`.
# - Undo stops where chance has been revealed: what has been seen cannot be unseen.
#
# ## The same position in words
#
# Everything on the board is also text, so that a position can be put in a mail, in a test, or in a bug report.

# %%
position = vl.new_position(rules, seed=SEED)
print(position.text()[:900])

# %%
for words in position.legal_words():
    print(words)

# %%
for event in position.apply(position.legal_words()[0]):
    print(event)

# %% [markdown]
# ## What would an agent do, and how sure is it?
#
# Here two agents play one decision each. They get what the seat can see, never the order of the bag.

# %%
from vinci_lab.widgets.session import Session

session = Session(rules, ["human", "greedy", "greedy", "greedy"], seed=SEED)
session.run_bots()
for agent in ("greedy", "search:rollouts=100"):
    hint = session.hint(agent)
    print(f"{agent}: {'; '.join(hint.words)}")
    for reason in hint.reasons:
        print(f"    {reason}")

# %% [markdown]
# ## Save it, and go on tomorrow
#
# A game is a text file with every action, every outcome of chance and every cost; `vl.play(transcript=...)` goes on with it and
# `vl.replay` shows it. The tiles' red numbers and the map are a reconstruction; the game on this board says so below it.

# %%
import tempfile
from pathlib import Path

path = session.save(Path(tempfile.mkdtemp()) / "my_game.jsonl")
print("\n".join(list(vl.load_transcript(path).in_words())[:12]))
