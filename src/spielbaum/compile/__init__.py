"""From rules to machine code: binding, linking, digests, the kernel cache, and what went wrong in words.

| file | what |
|---|---|
| `bind.py`, `rounds.py` | a game's rules as kernels call them, those of rounds as turns |
| `link.py` | templates: kernels that are compiled together with the rules of a game |
| `digest.py` | what machine code depends on |
| `cache.py`, `shipped.py` | where it is kept, and what came with the package |
| `validate_game.py` | whether a module follows the protocol |
| `errors.py`, `notices.py`, `log.py` | why a rule does not compile, that one is being compiled, and how long it took |
"""
