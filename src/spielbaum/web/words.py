"""German for what the engine declares in English: levels, kinds of agents, and what their parameters do.

Names of parameters are part of the syntax of specifications and are the same in every language. The words of
a game stand beside the game (`WORDS`).
"""

from __future__ import annotations

from typing import Any


def both(en: str, de: str) -> dict[str, str]:
    """A text in both languages."""
    return {"en": en, "de": de}


LEVELS = {
    "easy": both("easy", "leicht"),
    "medium": both("medium", "normal"),
    "hard": both("hard", "schwer"),
    "master": both("master", "Meister"),
}

KINDS = {
    "random": both("random", "Zufall"),
    "greedy": both("greedy", "gierig"),
    "mcts": "MCTS",
    "ismcts": "IS-MCTS",
    "minimax": "Minimax",
    "alphabeta": both("alpha-beta", "Alpha-Beta"),
    "network": both("network", "Netz"),
    "policy": both("network without search", "Netz ohne Suche"),
    "human": both("person", "Mensch"),
}

UNITS = {
    "chance": both("chance to win", "Gewinnchance"),
    "evaluation": both("evaluation", "Bewertung"),
    "points": both("points", "Punkte"),
}

HELP = {
    "Monte Carlo tree search": "Monte-Carlo-Baumsuche",
    "information-set Monte Carlo tree search, for hidden information": (
        "Monte-Carlo-Baumsuche über Informationsmengen, für verdeckte Information"
    ),
    "plays a uniformly random legal action": "spielt einen zufälligen erlaubten Zug",
    "plays the action after which the game's evaluation is best": "spielt den Zug mit der besten Bewertung danach",
    "plays by a near equilibrium of the whole game, which it solves first": (
        "spielt nach einem Beinahe-Gleichgewicht des ganzen Spiels, das es zuerst löst"
    ),
    "plain minimax to a fixed depth; max^n for more than two players": (
        "einfaches Minimax bis zu einer festen Tiefe; max^n bei mehr als zwei Spielern"
    ),
    "iterative deepening alpha-beta with a transposition table": (
        "Alpha-Beta mit schrittweiser Vertiefung und Transpositionstabelle"
    ),
    "tree search with the priors and values of a network": "Baumsuche mit den Zugvorschlägen und Werten eines Netzes",
    "what a network likes best, without search": "was einem Netz am besten gefällt, ohne Suche",
    "asks a person in the terminal": "fragt einen Menschen im Terminal",
    "a policy of the game": "eine Strategie des Spiels",
    # budgets and limits
    "simulations per decision (1000 when no budget is set)": "Simulationen je Zug (1000, wenn nichts begrenzt ist)",
    "thinking time per decision": "Bedenkzeit je Zug in Sekunden",
    "positions per decision": "Stellungen je Zug",
    "think in the time of others, about what they are expected to do": (
        "in der Zeit der anderen weiterdenken, über das, was von ihnen zu erwarten ist"
    ),
    "moves to look ahead": "Züge, die vorausgeschaut wird",
    "moves to look ahead at most (6 when no other budget is set)": (
        "Züge, die höchstens vorausgeschaut wird (6, wenn nichts anderes begrenzt)"
    ),
    "trees that grow side by side, their results summed (root parallel)": (
        "Bäume, die nebeneinander wachsen und deren Ergebnisse addiert werden"
    ),
    "hard cap on tree memory in MB; at it the search goes on without growing": (
        "Grenze für den Speicher des Baums in MB; danach wächst er nicht weiter"
    ),
    "look less deeply at moves that come late in this order": "späte Züge dieser Reihenfolge weniger tief ansehen",
    "plies for which captures go on beyond the depth; 0 is off": (
        "Halbzüge, die Schlagzüge über die Tiefe hinaus weitergehen; 0 ist aus"
    ),
    "how much worse than 0 a draw is": "um wie viel schlechter als 0 ein Unentschieden ist",
    "what a win by adjudication is worth, if less than any win; 0 is off": (
        "was ein Sieg durch Abschätzen wert ist, wenn weniger als jeder andere; 0 ist aus"
    ),
    "the network that evaluates positions, a file or the name of one; else the game's own rule": (
        "das Netz, das Stellungen bewertet: eine Datei oder ein Name; sonst die Regel des Spiels"
    ),
    "the depth whose choice stays unless a better one is found deeper; 0 is off": (
        "Tiefe, deren Wahl bleibt, wenn tiefer keine bessere gefunden wird; 0 ist aus"
    ),
    "with `hope`: by how much it must be better": "mit `hope`: um wie viel besser sie sein muss",
    "size of the transposition table in MB; 0 is off": "Größe der Transpositionstabelle in MB; 0 ist aus",
    # phases of MCTS
    "how to go down the tree": "wie es im Baum hinab geht",
    "exploration constant of ucb1, ucb1-tuned and puct": "Erkundungskonstante von ucb1, ucb1-tuned und puct",
    "share of random choices of epsilon-greedy": "Anteil zufälliger Entscheidungen von epsilon-greedy",
    "scale the values of a node's children to 0 … 1 before selecting": (
        "Werte der Kinder eines Knotens vor der Auswahl auf 0 … 1 bringen"
    ),
    "below that many visits of a node the simulation policy selects": (
        "unter so vielen Besuchen eines Knotens wählt die Simulationsstrategie"
    ),
    "equivalence parameter of RAVE: visits at which AMAF counts half; 0 is off": (
        "Äquivalenzparameter von RAVE: Besuche, bei denen AMAF halb zählt; 0 ist aus"
    ),
    "weight of progressive bias by the game's preferences; 0 is off": (
        "Gewicht der Vorlieben des Spiels (progressive bias); 0 ist aus"
    ),
    "progressive widening: 1 + widen * sqrt(visits) children; 0 is off": (
        "schrittweise Verbreiterung: 1 + widen · √Besuche Kinder; 0 ist aus"
    ),
    "share of uniform exploration of exp3 and regret-matching": (
        "Anteil gleichmäßiger Erkundung von exp3 und regret-matching"
    ),
    "all children at once, one random untried action, drawn one by one, or by memory": (
        "alle Kinder auf einmal, ein zufälliges neues, einzeln gezogen oder nach dem Gedächtnis"
    ),
    "of the whole tree; the more, the nearer to an equilibrium": (
        "des ganzen Baums; je mehr, desto näher an einem Gleichgewicht"
    ),
    "memory: probability to try what memory proposes": (
        "Gedächtnis: Wahrscheinlichkeit, seinen Vorschlag zu versuchen"
    ),
    "memory: actions drawn, of which the best remembered is tried": (
        "Gedächtnis: gezogene Züge, von denen der mit der besten Erinnerung versucht wird"
    ),
    "memory: how far it returns to the reset point after a decision": (
        "Gedächtnis: wie weit es nach einem Zug zum Ausgangswert zurückkehrt"
    ),
    "memory: weight of a new value": "Gedächtnis: Gewicht eines neuen Werts",
    "memory: where it returns to": "Gedächtnis: der Ausgangswert",
    "memory: propose untried actions only, as the thesis does": (
        "Gedächtnis: nur unversuchte Züge vorschlagen, wie in der Bachelorarbeit"
    ),
    "memory: scale values by those of this decision, not of the whole game": (
        "Gedächtnis: Werte an denen dieser Entscheidung messen, nicht an denen der ganzen Partie"
    ),
    "policy of the others in a tree of own decisions; as in simulations unless given": (
        "Strategie der anderen in einem Baum eigener Entscheidungen; ohne Angabe wie in Simulationen"
    ),
    "visits that a leaf needs before it gets children": "Besuche, die ein Blatt braucht, bevor es Kinder bekommt",
    "prunings of the game to apply in the tree, joined by +": "Filter des Spiels für den Baum, durch + verbunden",
    "policies of own side/others: p, p/q, mixtures p+q or 0.9*p+0.1*q": (
        "Strategien der eigenen Seite/der anderen: p, p/q, Mischungen p+q oder 0.9*p+0.1*q"
    ),
    "draw a mixture's policy for every move or once a simulation": (
        "die Strategie einer Mischung für jeden Zug oder einmal je Simulation ziehen"
    ),
    "moves or rounds of a simulation before it is valued; 0 is to the end": (
        "Züge oder Runden einer Simulation, bevor sie bewertet wird; 0 ist bis zum Ende"
    ),
    "what `depth` counts": "was `depth` zählt",
    "moves after which every simulation is cut off": "Züge, nach denen jede Simulation abgebrochen wird",
    "simulations per leaf, averaged": "Simulationen je Blatt, gemittelt",
    "value of a simulation: result, evaluation, or its difference to the root's": (
        "Wert einer Simulation: Ergebnis, Bewertung oder deren Unterschied zur Wurzel"
    ),
    "weight of the best opponent in `value=difference`": "Gewicht des besten Gegners bei `value=difference`",
    "how a value counts on the way up": "wie ein Wert auf dem Weg nach oben zählt",
    "k of `backup=vanishing`: distance d counts 1/(k*d); at least 0.1": (
        "k von `backup=vanishing`: Abstand d zählt 1/(k·d); mindestens 0.1"
    ),
    "which root action is played": "welcher Zug der Wurzel gespielt wird",
    "A of `decide=secure`: largest value - A/sqrt(visits)": "A von `decide=secure`: größter Wert − A/√Besuche",
    "their decisions in the tree, resampled every pass, fixed, or one draw for all children": (
        "Züge der anderen: im Baum, bei jedem Durchgang neu gezogen, fest oder einer für alle Kinder"
    ),
    "where all move at once: as a round, or one after the other": (
        "wo alle gleichzeitig ziehen: als Runde oder nacheinander"
    ),
    "positions reached by different orders of moves share a node": (
        "Stellungen, die auf verschiedenen Wegen entstehen, teilen einen Knoten"
    ),
    "what becomes of the tree after the move": "was nach dem Zug aus dem Baum wird",
    "root actions among which sequential halving divides the iterations; 0 is off": (
        "Aktionen der Wurzel, auf die die Iterationen durch fortgesetztes Halbieren verteilt werden; 0 schaltet es ab"
    ),
    "how much chance has a say in which root actions are looked at": (
        "wie sehr der Zufall mitredet, welche Aktionen der Wurzel betrachtet werden"
    ),
    "how much values count beside priors at the root": ("wie viel Werte an der Wurzel neben den Vorlieben zählen"),
    "prove won, lost and drawn subtrees, and search none of them again": (
        "gewonnene, verlorene und unentschiedene Teilbäume beweisen und nicht wieder durchsuchen"
    ),
    "the network, a file or the name of one": "das Netz, eine Datei oder der Name eines mitgelieferten",
    "how much the result of a simulation counts beside the network's value": (
        "wie viel das Ergebnis einer Simulation neben dem Wert des Netzes zählt"
    ),
    "value=onnx: leaves that wait for the network at once": (
        "value=onnx: Blätter, die gleichzeitig auf das Netz warten"
    ),
    "sampled states, one tree each, votes summed; 0 is all there are": (
        "verdeckte Information: gezogene Stellungen, je ein Baum, Stimmen addiert; 0 heißt alle"
    ),
    "hidden information: how to draw what is not seen, one of the game's ways": (
        "verdeckte Information: wie gezogen wird, was man nicht sieht, auf eine der Arten des Spiels"
    ),
    "r: a win that a team-mate has made counts 1 - r between 0 and 1": (
        "r: ein Sieg, den ein Mitspieler errungen hat, zählt 1 - r zwischen 0 und 1"
    ),
    "an information set is what the mover sees, or the path of actions": (
        "eine Informationsmenge ist, was der Ziehende sieht, oder der Weg der Züge"
    ),
    # minimax
    "three and more: everybody for themselves, or all against us": "ab drei: jeder für sich oder alle gegen uns",
    "entries that stay in the table: the newest, the deepest, or both": (
        "Einträge, die in der Tabelle bleiben: die neuesten, die tiefsten oder beide"
    ),
    "try promising moves first: captures, killers, history": (
        "aussichtsreiche Züge zuerst: Schläge, Killerzüge, Verlauf"
    ),
}

GENERAL: dict[str, Any] = {**LEVELS, **KINDS, **UNITS, **{en: both(en, de) for en, de in HELP.items()}}
