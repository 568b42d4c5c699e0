"""Monte Carlo tree search, one folder per phase and one file per variant.

| where | what |
|---|---|
| `search.py` | the search: budgets, threads, determinizations, the decision |
| `search_tree.py`, `batched_search_tree.py` | one tree and the arrays that its thread works with |
| `places.py`, `picture.py` | walking through a tree from Python, and drawing it |
| `components.py`, `host.py` | what a component is, where components are found, what goes together |
| `settings.py` | the parameters of a search, and the variant that they choose |
| `tree.py`, `workspace.py` | records and tables |
| `kernels/` | the compiled loop |
| `select/`, `expand/`, `playout/`, `value/`, `backup/` | the variants of the four phases |
| `enhancements/` | what can be added to any of them |
| `decide/`, `reuse/` | what is played, and what becomes of the tree |
| `opponents/`, `nodes/`, `tree_policy/` | whose decisions are in the tree, and how they are told apart |
"""

from spielbaum.search.mcts.search import Mcts

__all__ = ["Mcts"]
