"""Science: technologies are data, buildings are locked until they are known, and all players can play with it."""

from __future__ import annotations

import functools
import pathlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spielbaum
from spielbaum.agents import make
from spielbaum.errors import GameError, SpielbaumError
from spielbaum.games.quick_civ import buildings, technologies
from spielbaum.games.quick_civ.rules import RESEARCH, WAIT
from spielbaum.games.quick_civ.tables import BUILDINGS, KINDS, TECHNOLOGIES
from spielbaum.scenes import drawing

KEYS = [kind.key for kind in BUILDINGS]
NAMES = [technology.key for technology in TECHNOLOGIES]
RICH = "nw 300/300/0{}: city_center 1,1"


@functools.cache
def learned() -> spielbaum.Game:
    return spielbaum.load("quick-civ", map=1, science=True)


def rich(known: str = "") -> spielbaum.State:
    """Everybody has a city centre, north-west also a store of everything."""
    lines = ["map 1, round 40", RICH.format(f" knows {known}" if known else "")]
    lines += [f"{name} 0/0/0: city_center {at}" for name, at in (("ne", "1,12"), ("se", "13,12"), ("sw", "13,1"))]
    return learned().set_up("\n".join(lines))


def buildable(state: spielbaum.State) -> set[str]:
    return {KEYS[action % KINDS] for action in state.actions if action < WAIT}


def researchable(state: spielbaum.State) -> set[str]:
    return {NAMES[action - RESEARCH] for action in state.actions if action > WAIT}


def play_round(state: spielbaum.State, move: str) -> spielbaum.State:
    for text in (move, "wait", "wait", "wait"):
        state.play(text)
    return state


# --- the tree -----------------------------------------------------------------------------------


def test_every_building_for_50_or_250_has_one_technology_and_the_cheap_ones_have_none():
    locked = [key for technology in TECHNOLOGIES for key in technology.unlocks]
    assert sorted(locked) == sorted(kind.key for kind in BUILDINGS if kind.price > 10)


def test_without_science_everything_is_unlocked_and_nothing_is_researched():
    state = spielbaum.load("quick-civ", map=1).new()
    assert not any(action > WAIT for action in state.actions)
    assert state.record.unlocked.tolist() == [2**KINDS - 1] * 4


def test_with_science_only_cheap_buildings_can_be_built_at_first():
    state = rich()
    assert buildable(state) == {kind.key for kind in BUILDINGS if kind.price == 10}
    assert researchable(state) == {technology.key for technology in TECHNOLOGIES if not technology.needs}


def test_research_costs_a_round_and_its_price_and_unlocks_its_buildings():
    before = rich()
    after = play_round(rich(), "research crafts")
    waited = play_round(rich(), "wait")
    crafts = TECHNOLOGIES[NAMES.index("crafts")]
    spent = waited.record.stock[0] - after.record.stock[0]
    assert spent.tolist() == [crafts.food, crafts.material, 0]
    assert buildable(after) - buildable(before) == {"mine", "sawmill"}
    assert "crafts" not in researchable(after)
    assert after.record.tiles[0] == 1 and after.record.known[1:].tolist() == [0, 0, 0]


def test_what_needs_others_comes_after_all_of_them():
    assert "metallurgy" not in researchable(rich("crafts"))
    assert "metallurgy" not in researchable(rich("warfare"))
    assert "metallurgy" in researchable(rich("crafts+warfare"))
    assert {"smithy", "catapult"} <= buildable(rich("crafts+warfare+metallurgy"))


def test_research_that_can_not_be_paid_is_illegal():
    poor = learned().set_up(rich().position.replace("300/300/0", "300/19/0", 1))
    assert researchable(poor) == set()
    with pytest.raises(SpielbaumError, match="'research crafts' is not legal"):
        poor.play("research crafts")


def test_what_was_conquered_works_without_its_technology():
    text = rich().position.replace("nw 300/300/0: city_center 1,1", "nw 300/300/0: city_center 1,1; barracks 7,6")
    text = text.replace("sw 0/0/0: city_center 13,1", "sw 0/0/0: city_center 13,1; house 7,7; farm 7,8")
    state = learned().set_up(text + "\nsiege 7,7 by nw for 2")
    before = int(state.record.production[0])
    play_round(state, "wait")
    assert state.record.owner[7 * 15 + 7] == 0 and int(state.record.production[0]) > before


@given(st.integers(0, 2**31 - 1), st.integers(0, 2**31 - 1))
@settings(max_examples=8, deadline=None)
def test_what_is_unlocked_is_what_the_known_technologies_unlock_and_their_needs_are_known(seed, choices):
    game = spielbaum.load("quick-civ", map=seed, science=True)
    rng, state = np.random.default_rng(choices), game.new()
    state.record.stock[:, :2] = 400
    for _ in range(120):
        actions = state.actions
        assert all(KEYS[a % KINDS] in unlocked(state, state.player) for a in actions if a < WAIT)
        studies = [action for action in actions if action > WAIT]
        state.play(int(rng.choice(studies if studies and rng.random() < 0.3 else actions)))
    for player in range(4):
        known = known_to(state, player)
        assert all(set(TECHNOLOGIES[NAMES.index(name)].needs) <= known for name in known)
        assert {KEYS[n] for n in range(KINDS) if int(state.record.unlocked[player]) >> n & 1} == unlocked(state, player)
    again = game.set_up(state.position) if state.asked == 0 else state
    assert (again.array["known"] == state.array["known"]).all()
    assert (again.array["unlocked"] == state.array["unlocked"]).all()


def known_to(state: spielbaum.State, player: int) -> set[str]:
    return {name for n, name in enumerate(NAMES) if int(state.record.known[player]) >> n & 1}


def unlocked(state: spielbaum.State, player: int) -> set[str]:
    free = {kind.key for kind in BUILDINGS if kind.price == 10}
    known = (TECHNOLOGIES[NAMES.index(name)] for name in known_to(state, player))
    return free.union(*(technology.unlocks for technology in known))


def test_drawn_actions_are_legal_and_all_of_them_come_up():
    state = learned().set_up(rich("crafts").position.replace("300/300/0", "30/300/0", 1))
    agent, legal = make("random", learned(), 1), set(state.actions)
    drawn = {agent.act(state) for _ in range(4000)}
    assert drawn == legal - {WAIT}  # the game's own random waits only where there is nothing else


# --- players ------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["greedy", "vanilla:iterations=300"])
def test_players_research_and_build_what_it_unlocks(spec):
    game = spielbaum.load("quick-civ", map=3, science=True)
    state, players = game.new(1), [make(spec, game, seat) for seat in range(4)]
    while not state.over:
        state.play(players[state.player].act(state))
    researched = [int(known).bit_count() for known in state.record.known]
    assert sum(researched) >= 4
    built = {int(n) for n in state.record.building[state.record.owner >= 0]}
    assert any(BUILDINGS[n].price > 10 for n in built)


def test_greedy_researches_what_its_best_build_needs():
    state = rich()
    free = spielbaum.load("quick-civ", map=1)
    best = make("greedy", free, 1).act(free.set_up(state.position))
    wanted = KEYS[best % KINDS]
    chosen = make("greedy", learned(), 1).act(state)
    assert chosen > WAIT and wanted in reached_from(NAMES[chosen - RESEARCH])


def reached_from(name: str) -> set[str]:
    """What a technology unlocks, and those that need it."""
    later = [technology for technology in TECHNOLOGIES if name in technology.needs]
    return set(TECHNOLOGIES[NAMES.index(name)].unlocks).union(*(technology.unlocks for technology in later))


# --- what is shown ------------------------------------------------------------------------------


def test_the_book_opens_what_can_be_researched_with_what_it_unlocks_and_costs():
    state = rich("crafts")
    gestures = [g for g in drawing.gestures(state, drawing.scene(state, 0)) if g["action"] > WAIT]
    assert {g["label"]["en"] for g in gestures} == {"Agriculture", "Masonry", "Faith", "Art of war", "Trade"}
    assert all(g["steps"] == ["science"] for g in gestures)
    masonry = next(g for g in gestures if g["label"]["de"] == "Baukunst")
    assert masonry["note"]["de"] == "ermöglicht Haus, Taverne für 20 Nahrung, 20 Material"


def test_the_list_of_technologies_says_what_is_known_and_why_the_others_are_locked():
    panels = {panel["id"]: panel for panel in drawing.scene(rich("crafts"), 0)["panels"]}
    lines = [item["label"]["en"] for item in panels["technologies"]["items"]]
    assert "Crafts: known" in lines
    assert "Metallurgy: unlocks Smithy, Catapult; needs Art of war" in lines
    assert "Faith: unlocks Church; possible now" in lines
    assert panels["purse-0"]["items"][-1]["value"] == 1 and panels["purse-1"]["items"][-1]["value"] == 0
    plain = drawing.scene(spielbaum.load("quick-civ", map=1).new(), 0)
    assert "technologies" not in {panel["id"] for panel in plain["panels"]}


def test_who_can_research_nothing_is_told_why():
    poor = learned().set_up(rich("crafts").position.replace("300/300/0", "9/9/0", 1))
    (told,) = [why["text"]["en"] for why in drawing.scene(poor, 0)["why"] if why["places"] == ["science"]]
    assert "Faith costs 20 food, 20 material" in told and "Guilds needs Trade, Agriculture" in told
    assert not any(why["places"] == ["science"] for why in drawing.scene(rich(), 0)["why"])


def test_the_rules_name_every_technology_and_the_text_what_is_known():
    texts = [section["text"] for section in learned().module.RULES()]
    for technology in TECHNOLOGIES:
        assert any(f"**{technology.en}** (" in text["en"] for text in texts)
        assert any(f"**{technology.de}** (" in text["de"] for text in texts)
    assert "knows crafts trade" in str(rich("crafts+trade")) and "knows nothing" in str(rich("crafts"))


# --- bad files ----------------------------------------------------------------------------------

LINES = buildings.FILE.read_text("utf-8")


def written(tmp_path: pathlib.Path, old: str, new: str) -> tuple[pathlib.Path, int]:
    """The file with its first `old` changed, and the number of that line."""
    assert old in LINES
    file = tmp_path / "buildings.toml"
    file.write_text(LINES.replace(old, new, 1), "utf-8")
    return file, LINES[: LINES.index(old)].count("\n") + 1


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('needs = ["trade", "agriculture"]', 'needs = ["barter"]', "guilds needs 'barter', which is no technology"),
        ('unlocks = ["suq"]', 'unlocks = ["bazaar"]', "guilds unlocks 'bazaar', which is no building"),
        ('unlocks = ["suq"]', 'unlocks = ["mine"]', "guilds unlocks mine, which crafts does already"),
        ('unlocks = ["suq"]', 'unlocks = ["city_center"]', "guilds unlocks 'city_center', which is no building"),
        ('unlocks = ["suq"]', 'unlocks = "suq"', "guilds has unlocks = 'suq'; right is a list"),
        ("food = 60", "food = -1", "engineering costs -1 food; a price is 0 or more"),
        ('key = "guilds"', 'key = "trade"', "trade is there twice"),
    ],
)
def test_a_wrong_technology_is_refused_with_its_line(tmp_path, old, new, told):
    file, line = written(tmp_path, old, new)
    with pytest.raises(GameError) as caught:
        technologies.read(BUILDINGS, file)
    assert f"buildings.toml, line {line}: {told}" in str(caught.value)


def test_technologies_that_need_each_other_are_refused(tmp_path):
    file, _ = written(tmp_path, 'unlocks = ["mine", "sawmill"]', 'unlocks = ["mine"]\nneeds = ["engineering"]')
    with pytest.raises(GameError, match="crafts can never be known, because technologies need each other"):
        technologies.read(BUILDINGS, file)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"forest", 0, 1', '"wood", 0, 1', "gatherer has the target 'wood'; there are flat, unbuilt, own"),
        ('"forest", 0, 1', '"forest", 0, 3', "gatherer looks 0 to 3 tiles away; forest is from 0 to 2"),
        ('["food", 1, "forest"', '["gold", 1, "forest"', "gatherer has a row of 'gold'; resources are food, material"),
        ('category = "food"', 'category = "snack"', "farm has the category 'snack'; there are expansion, food"),
        ("price = 50", "price = -50", "lookout costs -50; a price is 1 or more"),
        ("price = 50", "price = 5", "lookout costs 5, but buildings stand in the order of prices"),
        ("price = 50", 'price = "cheap"', "lookout has price = 'cheap'; right is a whole number"),
        ("pressure = [1, 1]", "pressure = [1, 9]", "fort has the pressure [1, 9]; right is [amount, range]"),
        ("pressure = [1, 1]", "presure = [1, 1]", "fort has an unknown entry 'presure'"),
        ('key = "farm"', 'key = "city_center"', "city_center is there twice"),
    ],
)
def test_a_wrong_building_is_refused_with_its_line(tmp_path, old, new, told):
    file, line = written(tmp_path, old, new)
    with pytest.raises(GameError) as caught:
        buildings.read(file)
    assert f"buildings.toml, line {line}: {told}" in str(caught.value)


def test_what_is_no_toml_is_refused_with_its_line(tmp_path):
    file, line = written(tmp_path, 'key = "farm"', 'key = "farm')
    with pytest.raises(GameError, match=rf"buildings.toml can't be read: .*line {line}"):
        buildings.read(file)


def test_a_position_with_unknown_technologies_is_refused():
    with pytest.raises(SpielbaumError, match="no technology 'magic'; there are agriculture, crafts"):
        rich("magic")
    with pytest.raises(SpielbaumError, match="no technology 'crafts'; set science=on"):
        spielbaum.load("quick-civ", map=1).set_up(rich("crafts").position)
