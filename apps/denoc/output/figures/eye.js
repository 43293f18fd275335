// From where the stage is seen: around `target`, at a distance; moved by mouse, pen and fingers.
class Eye {
  static angle = 28 * Math.PI / 180;  // between the upper and the lower edge

  constructor(film) {
    this.film = film;
    // A robot that goes far is followed; else all of its motion is in view.
    this.follows = film.radius > 4 * film.size;
    this.home(1);
  }

  home(aspect) {
    const { film } = this;
    // What moves in a plane is seen a little from the side, or it would look like paper.
    this.yaw = film.yaw + (film.flat && film.pitch < 1.5 ? 0.3 : 0);
    this.pitch = film.pitch + (film.flat ? (film.pitch < 1.5 ? 0.2 : -0.35) : 0);
    this.offset = [0, 0, 0];  // of the target from what is followed
    // All that ever is there fits, with a margin; the middle of it is in the middle. What is followed leaves the ground behind.
    const cloud = this.follows ? film.cloud([0], film.corners.filter(([body]) => body > 0)).map(p => p.map((x, k) => x - film.origin[k])) :
      film.cloud(film.some(200), film.corners);
    const { right, above, towards } = this.axes(), tall = 0.9 * Math.tan(Eye.angle / 2), wide = tall * aspect;
    const middle = axis => {
      const all = cloud.map(p => Eye.dot(p, axis));
      return (all.reduce((a, b) => Math.max(a, b)) + all.reduce((a, b) => Math.min(a, b))) / 2;
    };
    const x = middle(right), y = middle(above), z = middle(towards);
    this.target = [0, 1, 2].map(k => x * right[k] + y * above[k] + z * towards[k]);
    this.distance = 0;
    for (const p of cloud) {
      const d = p.map((u, k) => u - this.target[k]), depth = Eye.dot(d, towards);
      const across = Math.abs(Eye.dot(d, right)), up = Math.abs(Eye.dot(d, above));
      this.distance = Math.max(this.distance, depth + across / wide, depth + up / tall);
    }
    if (this.follows) this.offset = this.target;
    this.nearest = 0.05 * this.distance;
    this.furthest = 20 * this.distance;
  }

  static dot(a, b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
  axes() {
    const cy = Math.cos(this.yaw), sy = Math.sin(this.yaw), cp = Math.cos(this.pitch), sp = Math.sin(this.pitch);
    return { right: [cy, sy, 0], above: [-sp * sy, sp * cy, cp], towards: [cp * sy, -cp * cy, sp] };
  }
  position() {
    const { towards } = this.axes();
    return this.target.map((x, k) => x + this.distance * towards[k]);
  }
  follow(place) {
    if (this.follows) this.target = place.map((x, k) => x + this.offset[k]);
  }

  turn(dx, dy) {
    this.yaw -= 0.008 * dx;
    this.pitch = Math.min(Math.PI / 2, Math.max(-Math.PI / 2, this.pitch + 0.008 * dy));
  }
  // By pixels of a stage of that height, so that what is under the finger stays there.
  pan(dx, dy, height) {
    const { right, above } = this.axes(), unit = 2 * this.distance * Math.tan(Eye.angle / 2) / height;
    for (const place of [this.target, this.offset])
      for (let k = 0; k < 3; ++k) place[k] += unit * (dy * above[k] - dx * right[k]);
  }
  zoom(factor) { this.distance = Math.min(this.furthest, Math.max(this.nearest, this.distance / factor)); }

  // One finger or the left button turns; two fingers, the other buttons or shift move, and fingers apart zoom.
  attach(stage, changed) {
    const fingers = new Map();
    const spread = () => {
      const [a, b] = [...fingers.values()];
      return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, gap: Math.hypot(a.x - b.x, a.y - b.y) };
    };
    stage.addEventListener('pointerdown', event => {
      stage.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    });
    for (const kind of ['pointerup', 'pointercancel'])
      stage.addEventListener(kind, event => fingers.delete(event.pointerId));
    stage.addEventListener('pointermove', event => {
      const finger = fingers.get(event.pointerId);
      if (!finger) return;
      const dx = event.clientX - finger.x, dy = event.clientY - finger.y, before = fingers.size === 2 && spread();
      finger.x = event.clientX;
      finger.y = event.clientY;
      if (before) {
        const after = spread();
        this.pan(after.x - before.x, after.y - before.y, stage.clientHeight);
        if (before.gap > 0) this.zoom(after.gap / before.gap);
      } else if (event.shiftKey || event.buttons > 1) {
        this.pan(dx, dy, stage.clientHeight);
      } else {
        this.turn(dx, dy);
      }
      changed();
    });
    stage.addEventListener('contextmenu', event => event.preventDefault());
    stage.addEventListener('wheel', event => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * 0.0015));
      changed();
    }, { passive: false });
  }
}
