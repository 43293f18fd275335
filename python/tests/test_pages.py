"""What the scripts of a page make of its numbers, asked of Node.js."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import denoc

SCENARIOS = Path(__file__).parents[2] / "examples/scenarios"

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")


def answer(run, question):
    """Of a program that has ``film`` and ``eye``, made of the page's own scripts: what it prints."""
    scripts = re.findall(r"<script>(.*?)</script>", run.film(), re.DOTALL)
    own = [text for text in scripts if re.search(r"^const filmData|^class (Film|Eye) ", text, re.MULTILINE)]
    program = "\n".join(own) + f"\nconst film = new Film(filmData), eye = new Eye(film);\n{question}"
    done = subprocess.run(["node", "-"], input=program, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


# Corners of boxes in all frames, in parts of the way from the middle of the picture to its edge.
OUTERMOST = """
const aspect = 2.4;
eye.home(aspect);
const { right, above, towards } = eye.axes(), tall = Math.tan(Eye.angle / 2);
let outermost = 0;
for (const t of film.t) {
  film.show(t);
  for (const [body, , kind, size, at, turn] of film.solids.filter(solid => solid[2] === 0))
    for (let corner = 0; corner < 8; ++corner) {
      const half = size.map((x, k) => corner >> k & 1 ? x / 2 : -x / 2);
      const on = film.direction.call({ turns: turn }, 0, half).map((x, k) => x + at[k]);
      const d = film.place(body, on).map((x, k) => x - eye.target[k]), depth = eye.distance - Eye.dot(d, towards);
      outermost = Math.max(outermost, Math.abs(Eye.dot(d, right)) / (depth * tall * aspect), Math.abs(Eye.dot(d, above)) / (depth * tall));
    }
}
console.log(outermost);
"""


# Their trunk and their cart reach further than the sticks they are made of.
@pytest.mark.parametrize("scenario", [SCENARIOS / "gallery/hexapod.yaml", {"robot": "cart_pole", "start": {"q": {"pole": 0.3}}, "duration": 0.5}])
def test_all_that_ever_is_there_is_in_the_picture(scenario):
    run = (denoc.Scenario(scenario) | {"duration": 0.5}).run()
    assert 0.3 < answer(run, OUTERMOST) <= 0.91


# The largest distance between the two links' joints, and the least, at many instants between the frames.
LENGTHS = """
const lengths = [];
for (let i = 0; i <= 1000; ++i) {
  film.show(film.start + i / 1000 * (film.end - film.start));
  lengths.push(Math.hypot(...film.place(1, film.pivots[1]).map((x, k) => x - film.place(2, film.pivots[2])[k])));
}
console.log(JSON.stringify([Math.min(...lengths), Math.max(...lengths)]));
"""


def test_bodies_stay_together_between_frames():
    robot = denoc.load("two_link")
    for every in (0.02, 0.5):  # led from frame to frame, and leaping
        least, largest = answer(robot.simulate(10, q=[1, 0], every=every), LENGTHS)
        assert largest - least < 0.05 * largest
