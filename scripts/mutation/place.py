"""Where a run of mutants lives, what it remembers there, and the sources it began with."""
import functools
import json
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
HOME = ROOT / "build/mutate"
TREE = HOME / "tree"
BUILD = TREE / "build/release"
LEFT_OUT = re.compile(r"^src/.*_avx(2|512)\w*\.cpp$")


def load(name, otherwise):
    path = HOME / name
    return json.loads(path.read_text()) if path.exists() else otherwise


def store(name, value):
    draft = HOME / (name + ".draft")
    draft.write_text(json.dumps(value, indent=1))
    draft.replace(HOME / name)


@functools.cache
def sources():
    """{name: content}, as it was when the run began: who edits meanwhile does not disturb it."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    return {name: (ROOT / name).read_bytes() for name in listed if name and (ROOT / name).is_file() and not LEFT_OUT.match(name)}
