"""Monte Carlo tree search, one folder per phase and one file per variant.

| where | what |
|---|---|
| `search.py` | the search: budgets, threads, determinizations, tree re-use, the decision |
| `growers.py` | one tree and the arrays that its thread works with |
| `places.py`, `picture.py` | walking through a tree from Python, and drawing it |
| `parts.py`, `settings.py` | how a search is put together from its parts and parameters |
| `tree.py`, `work.py` | records and tables |
| `kernels/` | the compiled loop |
| `select/`, `expand/`, `value/`, `backup/` | the variants of the four phases |
| `modify/` | what can be added to any of them |
| `opponents/`, `nodes/`, `descent/` | whose decisions are in the tree, and how they are told apart |
"""

from spielbaum.search.mcts.search import Mcts

__all__ = ["Mcts"]
