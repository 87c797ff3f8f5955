"""Verifies a sample log with aics-tlog, as main.go beside it does with Go's packages.

The folder that it is given holds sample.json (keys, checkpoints and proofs) and the files of the log, as tlog-tiles lays
them out. It prints what it has verified, by kind, and what it found wrong.
"""

import base64
import json
import sys
from pathlib import Path

from aics_tlog import (
    FileSystemTileReader,
    MerkleTree,
    audit_tiles,
    checkpoint,
    consistency_proof_from_tiles,
    inclusion_proof_from_tiles,
    parse_note,
    parse_vkey,
    read_entry,
    tiles,
    verify_checkpoint,
    verify_consistency,
    verify_leaf_inclusion,
)


class Report:
    def __init__(self):
        self.verified = {}
        self.faults = []

    def check(self, kind, name, work):
        """Counts the work if it returns; its error, or a false assertion, is a fault."""
        try:
            result = work()
        except Exception as error:
            self.faults.append(f"{kind} {name}: {type(error).__name__} {error}")
            return None
        self.verified[kind] = self.verified.get(kind, 0) + 1
        return result


def open_checkpoint(text, sample):
    note = parse_note(text)
    for key in sample["keys"]:
        result = verify_checkpoint(note, parse_vkey(key["vkey"]), expected_origin=sample["origin"])
        assert result.log_ok, f"{result.error}"
    return checkpoint.parse_checkpoint(note.text)


def compare_tile(folder, path, expected):
    file = folder / path
    assert file.read_bytes() == expected, "the file has other bytes"


def check_root(tree, known):
    assert tree.root(known.size) == known.root, "the root is another one"


def check_inclusion(reader, tree, known, given):
    size, index, proof = given["size"], given["index"], [base64.b64decode(line) for line in given["proof"]]
    leaf = tree.leaf_data(index)
    assert verify_leaf_inclusion(leaf, index, size, proof, known[size].root), "the proof does not hold"
    assert inclusion_proof_from_tiles(reader, index, size) == proof, "the tiles give another proof"


def check_consistency(reader, known, given):
    older, newer = known[given["from"]], known[given["to"]]
    proof = [base64.b64decode(line) for line in given["proof"]]
    assert verify_consistency(older.size, newer.size, older.root, newer.root, proof), "the proof does not hold"
    assert consistency_proof_from_tiles(reader, older.size, newer.size) == proof, "the tiles give another proof"


def verify(folder, sample, report):
    reader = FileSystemTileReader(folder)
    known = {}
    for at, given in enumerate(sample["checkpoints"]):
        opened = report.check("note", at, lambda: open_checkpoint(given["note"], sample))
        if opened is not None:
            known[opened.size] = opened
    largest = max(known)
    tree = MerkleTree(read_entry(reader, index, largest) for index in range(largest))
    for size, opened in known.items():
        report.check("root", size, lambda: check_root(tree, opened))
        # Computed from the entries alone, so it is independent of the files that are compared with it.
        for path, expected in tiles.materialise_tiles([tree.leaf_data(index) for index in range(size)]).items():
            report.check("tile", path, lambda: compare_tile(folder, path, expected))
        report.check("whole log", size, lambda: audit_tiles(reader, size, opened.root))
    for given in sample["inclusion"]:
        name = f"of {given['index']} in {given['size']}"
        report.check("inclusion", name, lambda: check_inclusion(reader, tree, known, given))
    for given in sample["consistency"]:
        name = f"of {given['to']} with {given['from']}"
        report.check("consistency", name, lambda: check_consistency(reader, known, given))


def main():
    folder = Path(sys.argv[1])
    sample = json.loads((folder / "sample.json").read_text())
    report = Report()
    verify(folder, sample, report)
    print(json.dumps({"verified": report.verified, "faults": report.faults}))


main()
