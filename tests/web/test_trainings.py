"""Trainings over HTTP: which there are beside the store, one with its curves, and which are damaged."""

from __future__ import annotations

import json
import os
import pathlib

import pytest

from spielbaum.web.settings import Settings
from tests.networks.made import PLAN, made_training, row
from tests.web.server import Server

GAME = ("connect-four",)


def test_all_are_listed_and_one_has_its_curves(tmp_path):
    made_training(tmp_path / "mine.training", 6)
    with Server(Settings(GAME, store=tmp_path / "runs.db")) as server:
        listed = server.http.get("/api/trainings").json()
        assert [one["name"] for one in listed["trainings"]] == ["mine"] and listed["damaged"] == []
        told = server.http.get("/api/trainings/mine").json()
        assert len(told["curves"]["entropy"]) == 6 and len(told["scores"]) == 2


def changed(**fields: object) -> str:
    return json.dumps({**row(0, 1.0), **fields})


@pytest.mark.parametrize(
    "rows",
    [
        "{nothing", "7", "[]", '"text"', "{}", "null", "[" * 100_000, '{"seconds": ' + "9" * 5000 + "}",
        '{"seconds": NaN}', '{"seconds": 1e999}', '{"seconds": "soon"}', '{"seconds": ' + "9" * 400 + "}",
        changed(games="many"), changed(games=[]), changed(score=None), changed(score="high"), changed(low=float("inf")),
        changed(baseline="\ud800"), changed(baseline=float("nan")), changed(seconds=None),
    ],
    ids=range(20),
)  # fmt: skip
def test_a_training_with_damaged_rows_does_not_hide_the_others(tmp_path, rows):
    made_training(tmp_path / "mine.training", 6)
    (made_training(tmp_path / "hurt.training", 6) / "rows.jsonl").write_text(rows)
    assert_told(tmp_path)


@pytest.mark.parametrize(
    "plan",
    [
        "{nothing", "7", "[]", "null", "[" * 100_000, json.dumps({**PLAN, "game": ["a"]}),
        json.dumps({**PLAN, "game": 7}), json.dumps({**PLAN, "minutes": "ten"}),
        json.dumps({**PLAN, "seed": float("nan")}), json.dumps({**PLAN, "size": "\ud800"}),
    ],
    ids=range(10),
)  # fmt: skip
def test_a_training_with_a_damaged_plan_does_not_hide_the_others(tmp_path, plan):
    made_training(tmp_path / "mine.training", 6)
    (made_training(tmp_path / "hurt.training", 6) / "plan.json").write_text(plan)
    assert_told(tmp_path)


def assert_told(folder: pathlib.Path) -> None:
    """One training is listed, the other one is told to be damaged."""
    with Server(Settings(GAME, store=folder / "runs.db")) as server:
        listed = server.http.get("/api/trainings").json()
        assert [one["name"] for one in listed["trainings"]] == ["mine"] and listed["damaged"] == ["hurt"]
        refused = server.http.get("/api/trainings/hurt")
        assert refused.status_code == 404 and refused.json()["error"]["reason"] == "the training 'hurt' is damaged"


@pytest.mark.skipif(os.name != "posix", reason="names of files are texts elsewhere")
def test_a_name_that_is_no_text_does_not_hide_the_others(tmp_path):
    made_training(tmp_path / "mine.training", 6)
    made_training(pathlib.Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.training")), 6)
    with Server(Settings(GAME, store=tmp_path / "runs.db")) as server:
        listed = server.http.get("/api/trainings").json()
        assert [one["name"] for one in listed["trainings"]] == ["mine"] and listed["damaged"] == ["?"]
