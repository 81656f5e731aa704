"""`compliance bundle`: packs a saved result with all that it rests on, and signs it if asked."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from compliance.api.opened_request import files_consulted
from compliance.api.refusal import Refused
from compliance.api.saved_run import read_sound_run
from compliance.api.secrets import Secret, Secrets, SecretUnknown
from compliance.bundle.keys import SigningKey, read_signing_key
from compliance.bundle.packing import ToPack, pack_bundle
from compliance.bundle.result_files import files_of_result
from compliance.bundle.signing import detached_signature, sign_pdf_file
from compliance.cli.check_words import CheckedFiles, CheckWords
from compliance.cli.screen import Screen
from compliance.cli.signing_words import SigningWords
from reports.verdicts import ExitCode
from reports.wording import counted


@dataclass(frozen=True)
class BundleRequest:
    """What is packed, and into what."""

    run: Path
    output: Path
    reports: tuple[Path, ...]
    logs: tuple[str, ...]


def pack_result(asked: BundleRequest, files: CheckedFiles, signing: SigningWords, form: str) -> int:
    """Write the bundle, and say what is in it."""
    signer = signing_key(signing)
    run = read_sound_run(asked.run)
    found = files_of_result(
        run, asked.run, _given(files), files.rules or (), asked.reports, asked.logs
    )
    with tempfile.TemporaryDirectory(prefix="compliance-") as folder:
        sign = None
        if signer is not None:
            key = signer
            found = [_signed(item, key, Path(folder)) for item in found]

            def sign(told: bytes) -> bytes:
                return detached_signature(told, key)

        contents = pack_bundle(run, found, asked.output, sign)
    screen = Screen()
    if form == "json":
        screen.json(
            {
                "schema_version": "1",
                "bundle": str(asked.output),
                "signed": signer is not None,
                "files": [
                    {"path": f.path, "role": f.role, "sha256": f.sha256, "size": f.size}
                    for f in contents.files
                ],
            }
        )
        return int(ExitCode.CLEAN)
    logs = "with its logs" if asked.logs else "its logs by their hashes"
    signed = ", signed" if signer is not None else ""
    said = counted(len(contents.files), "file")
    screen.line(f"{asked.output}: the result and {said} in all, {logs}{signed}.")
    return int(ExitCode.CLEAN)


def _given(files: CheckedFiles) -> dict[str, list[Path]]:
    """The files that were named, by their roles."""
    words = CheckWords(**{name: getattr(files, name) for name in files.__dataclass_fields__})
    found: dict[str, list[Path]] = {}
    for _, role, path in files_consulted(words):
        if path is not None:
            found.setdefault(role, []).append(path)
    return found


def _signed(item: ToPack, signer: SigningKey, folder: Path) -> ToPack:
    """A PDF with a signature of its own, so that it can be verified by itself; others as they
    are."""
    if item.role != "report" or item.source.suffix != ".pdf":
        return item
    target = folder / item.path.replace("/", "-")
    target.write_bytes(sign_pdf_file(item.source, signer))
    return replace(item, source=target)


def signing_key(words: SigningWords) -> SigningKey | None:
    """Whoever signs, if anybody does."""
    if words.sign is None:
        if words.key or words.passphrase_env or words.passphrase_file:
            raise Refused("--key signs only with a certificate: name it with --sign.")
        return None
    if words.key is None:
        raise Refused("--sign needs the private key of the certificate: name it with --key.")
    if words.passphrase_env is not None and words.passphrase_file is not None:
        raise Refused("Give the passphrase by --passphrase-env or by --passphrase-file, not both.")
    passphrase = None
    if words.passphrase_env is not None or words.passphrase_file is not None:
        place = Secret(env=words.passphrase_env, file=words.passphrase_file)
        try:
            passphrase = Secrets().of(place)
        except SecretUnknown as problem:
            raise Refused(str(problem)) from None
    return read_signing_key(words.sign, words.key, passphrase)
