"""`footnote run` that cannot go on: what it says, the code it leaves with, and what the host does then."""

import configparser
import shutil
from pathlib import Path

import pytest

from bot.cli.doing import FAILED, MISCONFIGURED, USED_WRONGLY, code_for
from core.errors import DataInUse, FootnoteError, IndexMismatch, QuestionError, ServiceDown, SettingsError
from tests.bot.cli.conftest import Footnote
from tests.bot.cli.tiny import QUICK

UNIT = Path(__file__).parents[3] / "deploy" / "footnote.service"


@pytest.mark.parametrize(
    ("error", "code"),
    [
        pytest.param(SettingsError("Slack refuses the bot token."), MISCONFIGURED, id="the operator's"),
        pytest.param(QuestionError("Too long."), USED_WRONGLY, id="the member's"),
        pytest.param(ServiceDown("database", "the disk is full."), FAILED, id="the machine's"),
        pytest.param(DataInUse("Another Footnote is working here."), FAILED, id="another process's"),
        pytest.param(IndexMismatch("Run footnote reindex."), FAILED, id="the leader's"),
    ],
)
def test_only_what_a_setting_must_repair_leaves_with_a_code_of_its_own(error: FootnoteError, code: int) -> None:
    assert code_for(error) == code


def test_a_port_that_is_taken_is_named_and_leaves_with_the_code_for_settings(
    footnote: Footnote, tiny_library: Path, data_dir: Path, taken_port: int
) -> None:
    shutil.copytree(tiny_library, data_dir)

    done = footnote("run", FOOTNOTE_PORT=str(taken_port), **QUICK)

    assert done.code == MISCONFIGURED
    assert "FOOTNOTE_PORT" in done.err


def test_the_systemd_unit_keeps_members_words_private_and_does_not_try_a_wrong_setting_for_ever() -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.read(UNIT, encoding="utf-8")
    service = unit["Service"]

    assert (service["StateDirectoryMode"], service["UMask"]) == ("0700", "0077")
    assert service["Restart"] == "on-failure"
    assert service["RestartPreventExitStatus"] == str(MISCONFIGURED)
