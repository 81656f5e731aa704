"""A bundle is accepted where nothing else of the night is, and whatever was done to it is found."""

from __future__ import annotations

import hashlib
import json
import random
import stat
import warnings
import zipfile
from pathlib import Path

import pytest

from compliance.bundle.contents import LIST
from tests.compliance.bundle.handed_over import (
    Capture,
    Office,
    checked_office,
    entries,
    listed,
    repacked,
)
from tests.compliance.cli.test_json_keys import documented, keys


@pytest.fixture
def office(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> Office:
    folder = tmp_path / "office"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return checked_office(folder, capsys)


def test_a_bundle_with_its_log_is_checked_again_on_another_machine(office: Office) -> None:
    office.packed("--with-log", office.path("night.jsonl"), "--report", office.path("report.html"))
    code, out, err = office.run("verify", office.elsewhere(office.bundle))
    assert (code, err) == (0, "")
    assert out.endswith("Identical.\n")
    assert "It is not signed" in out


def test_a_bundle_without_its_log_says_that_nothing_was_checked_again(office: Office) -> None:
    office.packed()
    log = office.path("night.jsonl").read_bytes()
    bundle = office.elsewhere(office.bundle)
    code, out, _ = office.run("verify", bundle)
    assert code == 0
    assert out.endswith("Unaltered.\n")
    assert "Nothing was checked again: the bundle names its logs (night.jsonl)" in out
    (bundle.parent / "night.jsonl").write_bytes(log)
    code, out, _ = office.run("verify", bundle, bundle.parent / "night.jsonl")
    assert code == 0
    assert out.endswith("Identical.\n")
    (bundle.parent / "night.jsonl").write_bytes(log.replace(b"9S", b"8S"))
    code, out, _ = office.run("verify", bundle, bundle.parent / "night.jsonl")
    assert code == 1
    assert "Not identical" in out


def test_the_same_files_give_the_same_bytes(office: Office) -> None:
    words = ("--with-log", office.path("night.jsonl"), "--report", office.path("report.html"))
    first = office.packed(*words).read_bytes()
    for path in office.folder.iterdir():
        path.touch()
    assert office.packed(*words).read_bytes() == first
    assert list(entries(office.bundle)) == [
        "contents.json",
        "run.json",
        "reports/report.html",
        "rules/small.rules",
        "logs/night.jsonl",
    ]


def test_the_files_that_a_result_rests_on_are_found_and_packed(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "office"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / "waivers.toml").write_text(
        '[[waiver]]\nrule = "burn-by-each-new-dealer"\nauthority = "The Board"\n'
        'reason = "A trial."\nexpires = 2100-01-01\n'
    )
    office = checked_office(folder, capsys, "--waivers", folder / "waivers.toml")
    office.packed("--with-log", folder / "night.jsonl")
    assert "waivers/waivers.toml" in entries(office.bundle)
    code, out, err = office.run("verify", office.elsewhere(office.bundle))
    assert (code, err) == (0, "")
    assert out.endswith("Identical.\n")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("waivers.toml", "rests on waivers.toml (waivers, SHA-256"),
        ("rules", "are not those of the result"),
        ("night.jsonl", "is not one of the logs"),
    ],
)
def test_nothing_is_packed_that_the_result_was_not_made_from(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, change: str, said: str
) -> None:
    folder = tmp_path / "office"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / "waivers.toml").write_text("")
    office = checked_office(folder, capsys, "--waivers", folder / "waivers.toml")
    [rules] = folder.glob("*.rules")
    target = rules if change == "rules" else folder / change
    target.write_text(target.read_text() + "\n")
    code, _, err = office.pack("--with-log", folder / "night.jsonl")
    assert code == 2
    assert said in err
    assert not office.bundle.exists()


def test_a_result_of_an_archive_is_packed_without_its_logs(office: Office) -> None:
    log, [rules] = office.path("night.jsonl"), office.folder.glob("*.rules")
    assert office.run("archive", "add", "archive", log)[0] == 0
    saved = office.path("run.json")
    code, _, err = office.run("check", "--archive", "archive", "--rules", rules, "-o", saved)
    assert code == 1, err
    code, _, err = office.pack("--with-log", log)
    assert code == 2
    assert "which no bundle holds" in err
    office.packed()
    code, out, _ = office.run("verify", office.bundle)
    assert code == 0
    assert out.endswith("Unaltered.\n")


def test_a_result_that_was_altered_is_not_packed(office: Office) -> None:
    saved = office.path("run.json")
    saved.write_text(saved.read_text().replace("D7", "D8"))
    code, _, err = office.pack()
    assert code == 2
    assert "was altered after it was saved" in err


def test_the_documented_keys_are_those_of_the_answer(office: Office) -> None:
    code, out, _ = office.pack("--format", "json")
    assert code == 0
    assert set(keys(json.loads(out))) == documented("bundle")


# ---- what others may have done to it -------------------------------------------------------


def refused(office: Office) -> str:
    code, out, err = office.run("verify", office.bundle)
    assert code in (1, 2), (code, out, err)
    assert "Traceback" not in out + err
    assert "mistake in the program" not in err
    return out + err


@pytest.mark.parametrize("name", ["run.json", "reports/report.html", "logs/night.jsonl"])
def test_an_altered_file_is_found(office: Office, name: str) -> None:
    office.packed("--with-log", office.path("night.jsonl"), "--report", office.path("report.html"))
    files = entries(office.bundle)
    files[name] = files[name].replace(b"D7", b"D9", 1)
    repacked(office.bundle, files)
    assert f"The file {name} was altered" in refused(office)


def test_a_list_that_was_altered_with_its_files_does_not_fit_the_result(office: Office) -> None:
    office.packed("--with-log", office.path("night.jsonl"))
    files = entries(office.bundle)
    files["logs/night.jsonl"] = files["logs/night.jsonl"].replace(b"D7", b"D9")
    told = listed(files)
    for item in told["files"]:
        if item["role"] == "log":
            item["sha256"] = hashlib.sha256(files["logs/night.jsonl"]).hexdigest()
    repacked(office.bundle, files | {LIST: json.dumps(told).encode()})
    assert "Not identical" in refused(office)


def test_a_report_of_another_result_is_found(office: Office) -> None:
    office.path("report.html").write_text("<p>Clean.</p>")
    office.packed("--report", office.path("report.html"))
    assert "The report reports/report.html is not what this version makes" in refused(office)


@pytest.mark.parametrize(
    "name",
    ["../outside", "/outside", "a/../../outside", "a\\..\\outside", "C:/outside", "a//b", "a/./b"],
)
def test_a_file_that_leads_outside_is_refused(office: Office, name: str) -> None:
    files = entries(office.packed())
    told = listed(files)
    entry = {"path": name, "role": "report", "sha256": hashlib.sha256(b"x").hexdigest(), "size": 1}
    told["files"].append(entry)
    repacked(office.bundle, files | {LIST: json.dumps(told).encode(), name: b"x"})
    assert "would lie outside the bundle" in refused(office)
    assert not list(office.folder.parent.rglob("outside"))


@pytest.mark.parametrize("name", ["run.json", "RUN.json"])
def test_a_name_that_comes_twice_is_refused(office: Office, name: str) -> None:
    files = entries(office.packed())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        repacked(office.bundle, files, (name, b"another"))
    assert f"The file {name} is there twice" in refused(office)


def test_a_link_is_refused(office: Office) -> None:
    files = entries(office.packed())
    link = zipfile.ZipInfo("rules/link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    repacked(office.bundle, files, (link, b"/etc/passwd"))
    assert "rules/link is no plain file" in refused(office)


def test_a_file_that_unpacks_to_more_than_is_listed_is_not_unpacked(office: Office) -> None:
    files = entries(office.packed())
    told = listed(files)
    told["files"].append({"path": "logs/bomb", "role": "log", "sha256": "0" * 64, "size": 5})
    bomb = zipfile.ZipInfo("logs/bomb")
    bomb.compress_type = zipfile.ZIP_DEFLATED
    repacked(office.bundle, files | {LIST: json.dumps(told).encode()}, (bomb, bytes(50_000_000)))
    assert "logs/bomb is not as large as the list says" in refused(office)
    # One that lies about its size as well.
    content = office.bundle.read_bytes()
    size = (50_000_000).to_bytes(4, "little")
    office.bundle.write_bytes(content.replace(size, (5).to_bytes(4, "little")))
    assert "logs/bomb" in refused(office)


def test_a_list_without_end_is_not_read(office: Office) -> None:
    files = entries(office.packed())
    entry = zipfile.ZipInfo(LIST)
    entry.compress_type = zipfile.ZIP_DEFLATED
    del files[LIST]
    repacked(office.bundle, {}, (entry, b" " * 30_000_000))
    assert "larger than any that a bundle has" in refused(office)


def test_files_that_are_not_listed_or_are_gone_are_told(office: Office) -> None:
    files = entries(office.packed("--report", office.path("report.html")))
    repacked(office.bundle, files | {"more.txt": b"x"})
    assert "The file more.txt does not stand in the list" in refused(office)
    del files["reports/report.html"]
    repacked(office.bundle, files)
    assert "The file reports/report.html of the list is not in the bundle" in refused(office)


def test_something_before_or_after_the_bundle_is_told(office: Office) -> None:
    content = office.packed().read_bytes()
    office.bundle.write_bytes(content + b"more")
    assert "Something stands after the bundle" in refused(office)
    with zipfile.ZipFile(office.bundle, "w") as archive:
        archive.writestr(LIST, "{}")
        archive.comment = b"more"
    assert "Something stands after the bundle" in refused(office)
    office.bundle.write_bytes(b"PK before" + content)
    assert "Something stands before the bundle" in refused(office)


def test_whatever_bytes_are_altered_nothing_else_is_believed(office: Office) -> None:
    content = office.packed("--with-log", office.path("night.jsonl")).read_bytes()
    whole = entries(office.bundle)
    fate = random.Random(7)
    for place in fate.sample(range(len(content)), 60):
        spoilt = bytearray(content)
        spoilt[place] ^= 1 << fate.randrange(8)
        office.bundle.write_bytes(bytes(spoilt))
        code, out, err = office.run("verify", office.bundle)
        assert code in (0, 1, 2), (place, out, err)
        if code == 0:
            # A time or a right that nobody reads: what is packed is the same.
            assert entries(office.bundle) == whole
    for end in fate.sample(range(10, len(content)), 10):
        office.bundle.write_bytes(content[:end])
        assert refused(office)
