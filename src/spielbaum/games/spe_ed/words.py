"""spe_ed in German and English: its options, its players and what their parameters do."""

from __future__ import annotations

from spielbaum.games.spe_ed.tables import PLAYERS

GERMAN = {
    "a net that was evolved; it sees what is around its head": (
        "ein Netz aus der Evolution; es sieht, was um seinen Kopf ist"
    ),
    "a file of train-neat; the one that comes with the game unless given": (
        "eine Datei von train-neat; ohne Angabe die, die zum Spiel gehört"
    ),
    "minimax with alpha-beta against the nearest opponent, by the own area": (
        "Minimax mit Alpha-Beta gegen den nächsten Gegner, nach der eigenen Fläche"
    ),
    "looks ahead over own moves, by the areas around the heads": (
        "schaut eigene Züge voraus, nach den Flächen um die Köpfe"
    ),
    "tree search over own moves, by the share of free cells that it can reach": (
        "Baumsuche über eigene Züge, nach dem Anteil der freien Felder, die es erreicht"
    ),
    "multi-minimax over territories, as finalists of 2021 played": (
        "Multi-Minimax über Gebiete, wie Finalisten von 2021 spielten"
    ),
    "our best: decoupled UCT over territories against those near": (
        "unser bester: entkoppeltes UCT über Gebiete gegen die, die nahe sind"
    ),
    "worth of all free cells": "Wert aller freien Felder",
    "what all free cells are worth to the enemies, the mean of them": (
        "was alle freien Felder den Gegnern wert sind, im Mittel"
    ),
    "what a position is worth": "was eine Stellung wert ist",
    "rounds to look ahead": "wie viele Runden vorausgeschaut wird",
    "own moves to look ahead after the first one": "eigene Züge nach dem ersten, die vorausgeschaut werden",
    "moves worth more than the best / exploration are followed": (
        "Züge werden verfolgt, die mehr wert sind als der beste / exploration"
    ),
    "seconds to spare before a deadline; the original keeps 0.3 to 0.5": (
        "Sekunden, die vor einer Frist übrig bleiben; das Original hält 0,3 bis 0,5"
    ),
    "exploration constant C of Q + C*sqrt(ln n_p / n)": "Erkundungskonstante C in Q + C*sqrt(ln n_p / n)",
    "children whose values were all 0 get the exploration term as well": (
        "auch Kinder, deren Werte alle 0 waren, werden erkundet"
    ),
    "the tree of the last round: its visits count as one, are kept, or it is dropped": (
        "der Baum der letzten Runde: Seine Besuche zählen als einer, bleiben, oder er wird verworfen"
    ),
    "rounds to look ahead at most (3 when no time is given)": (
        "wie viele Runden höchstens vorausgeschaut wird (3, wenn keine Zeit gesetzt ist)"
    ),
    "opponents further away than so many steps are left out": (
        "Gegner, die weiter als so viele Schritte entfernt sind, zählen nicht"
    ),
    "opponents to look at, at most, the nearest first": (
        "wie viele Gegner höchstens angesehen werden, die nächsten zuerst"
    ),
    "iterations per decision (1000 when nothing else is set)": (
        "Iterationen je Zug (1000, wenn nichts anderes gesetzt ist)"
    ),
    "threads that search": "wie viele Threads suchen",
    "seconds before a deadline at which to answer": "Sekunden vor einer Frist, zu denen geantwortet wird",
    "opponents further away than so many steps are not searched": (
        "Gegner, die weiter als so viele Schritte entfernt sind, werden nicht durchsucht"
    ),
    "opponents to search, at most, the nearest first": (
        "wie viele Gegner höchstens durchsucht werden, die nächsten zuerst"
    ),
    "exploration": "Erkundung",
    "how often opponents are expected to do anything that they survive": (
        "wie oft von Gegnern irgendein Zug erwartet wird, den sie überleben"
    ),
    "speed at which territories grow, at most": "mit welchem Tempo Gebiete höchstens wachsen",
    "what each cell of speed above the first costs, as a share of the free cells": (
        "was jedes Feld Tempo über dem ersten kostet, als Anteil der freien Felder"
    ),
    "weight of the territory compared with those of the others": (
        "Gewicht des Gebiets, verglichen mit denen der anderen"
    ),
    "weight of having any room at all": "Gewicht davon, überhaupt Platz zu haben",
    "weight of the territory as a share of the free cells": "Gewicht des Gebiets als Anteil der freien Felder",
    "weight of a territory without dead ends": "Gewicht eines Gebiets ohne Sackgassen",
    "weight of a territory that borders on nobody's": "Gewicht eines Gebiets, das an kein anderes grenzt",
    "weight of the distance to the nearest opponent": "Gewicht des Abstands zum nächsten Gegner",
    "weight of being slow": "Gewicht davon, langsam zu sein",
}  # of players, which are declared in English
WORDS = {
    "spe_ed": {"en": "spe_ed", "de": "spe_ed"},
    "about": {
        "en": "Up to six players draw lines, all move at once, and who touches a line or leaves the board is out.",
        "de": "Bis zu sechs Spieler ziehen Linien, alle zugleich, und wer eine berührt oder das Brett verlässt,"
        " scheidet aus.",
    },
    **{str(n): {"en": f"player {n}", "de": f"Spieler {n}"} for n in range(1, PLAYERS + 1)},
    "players": {"en": "players", "de": "Spieler"},
    "how many play": {"en": "how many play", "de": "wie viele spielen"},
    "width": {"en": "width", "de": "Breite"},
    "columns; drawn from 41 to 80 unless given": {
        "en": "columns; drawn from 41 to 80 unless given",
        "de": "Spalten; von 41 bis 80 ausgelost, wenn nicht angegeben",
    },
    "height": {"en": "height", "de": "Höhe"},
    "rows; drawn from 41 to 80 unless given": {
        "en": "rows; drawn from 41 to 80 unless given",
        "de": "Reihen; von 41 bis 80 ausgelost, wenn nicht angegeben",
    },
    "start": {"en": "start", "de": "Anfang"},
    "official, symmetric, or x,y,direction of each player, separated by semicolons": {
        "en": "where the players begin",
        "de": "wo die Spieler beginnen",
    },
    "official": {"en": "official", "de": "offiziell"},
    "symmetric": {"en": "symmetric", "de": "symmetrisch"},
    "silence": {"en": "silence", "de": "Schweigen"},
    "players may give no answer, and are out, as on a server": {
        "en": "players may give no answer, and are out, as on a server",
        "de": "Spieler dürfen keine Antwort geben und scheiden dann aus, wie auf einem Server",
    },
    "small": {"en": "small", "de": "klein"},
    "two": {"en": "for two", "de": "zu zweit"},
    **{en: {"en": en, "de": de} for en, de in GERMAN.items()},
    "neat": "NEAT",
    **{name: name.capitalize() for name in ("brunhilde", "finalist", "odin", "siegfried", "thor", "tyr")},
}
