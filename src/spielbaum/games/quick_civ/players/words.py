"""What the players that plan are called in the app and what their parameters mean; English is as they are declared."""

from __future__ import annotations

NAMES = {
    "evolution": ("evolved plan", "Plan durch Evolution"),
    "plan-then-search": ("plan, then order", "erst Plan, dann Reihenfolge"),
    "evolutionary-mcts": ("tree of plans", "Baum aus Plänen"),
    "portfolio": ("scripts", "Drehbücher"),
    "rave": ("all moves as first", "alle Züge als erste"),
}
GERMAN = {
    "evolves a plan of its next builds by what it promises": (
        "verbessert einen Plan seiner nächsten Bauten nach dem, was er verspricht"
    ),
    "evolves a plan of its next builds, then searches for their order": (
        "verbessert einen Plan seiner nächsten Bauten und sucht dann deren Reihenfolge"
    ),
    "searches a tree of plans, each a mutation of another": "durchsucht einen Baum aus Plänen, jeder eine Mutation",
    "searches a tree of scripts, which each build the best of one category": (
        "durchsucht einen Baum aus Drehbüchern, die je das Beste einer Art bauen"
    ),
    "plans that are tried per decision (10000 when no budget is set)": (
        "Pläne, die je Zug versucht werden (10000, wenn nichts begrenzt ist)"
    ),
    "rounds that are planned": "Runden, die geplant werden",
    "rounds after them in which sieges go on": "Runden danach, in denen Belagerungen weitergehen",
    "builds that are compared before one of them gets into a plan": (
        "Bauten, die verglichen werden, bevor einer in einen Plan kommt"
    ),
    "how much of what the others are worth is subtracted": "wie viel vom Wert der anderen abgezogen wird",
    "points a round that a build to come adds, at best": "Punkte je Runde, die ein künftiger Bau bestenfalls bringt",
    "material a round with which such builds are mostly paid": "Material je Runde, das für solche Bauten meist reicht",
    "food a round with which there is mostly land for them": "Nahrung je Runde, mit der es für sie meist Land gibt",
    "share of them that needs no land": "Anteil von ihnen, der kein Land braucht",
    "food that a tile is worth": "wie viel Nahrung ein Feld wert ist",
    "share of changes that plan anew with two buildings that go together": (
        "Anteil der Änderungen, die mit zwei zueinander passenden Gebäuden neu planen"
    ),
    "points by which a changed plan may be worse, on average": (
        "Punkte, um die ein geänderter Plan im Mittel schlechter sein darf"
    ),
    "share of the budget for the layout; the rest is for its order": (
        "Anteil der Zeit für den Entwurf; der Rest ist für die Reihenfolge"
    ),
    "exploration constant of the search for an order": "Konstante C bei der Suche nach einer Reihenfolge",
    "exploration constant of UCB1": "Konstante C von UCB1",
    "mutations of a plan that was visited n times: widen * sqrt(n)": (
        "Mutationen eines n-mal besuchten Plans: widen * sqrt(n)"
    ),
}
PLANNER_WORDS = {
    **{name: {"en": en, "de": de} for name, (en, de) in NAMES.items()},
    **{en: {"en": en, "de": de} for en, de in GERMAN.items()},
}
