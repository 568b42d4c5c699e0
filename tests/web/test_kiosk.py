"""What a kiosk of any built-in game begins with."""

from __future__ import annotations

import pytest

from spielbaum.game import names
from tests.web.server import PERSON, Server, agent


@pytest.mark.parametrize("name", names())
def test_every_game_can_be_begun_in_a_kiosk_and_has_players_for_its_demonstration(server: Server, name: str) -> None:
    game = server.http.get(f"/api/games/{name}").json()
    options, agents = game["kiosk"]["options"], game["kiosk"]["agents"]
    server.begin(name, *map(agent, agents), options=options)
    seats = [PERSON, *[agent(game["opponent"])] * (len(agents) - 1)]
    with server.join(server.begin(name, *seats, options=options)) as client:
        assert len(client.welcome["seats"]) == len(agents)


def test_a_kiosk_of_latrunculi_has_the_small_board(server: Server) -> None:
    assert server.http.get("/api/games/latrunculi").json()["kiosk"]["options"] == {"board": "6x6"}
    assert server.http.get("/api/games/connect-four").json()["kiosk"]["options"] == {}
