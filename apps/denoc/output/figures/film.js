// A run as the page carries it: `data` is the object of film.cpp. Axes: x and y level, z up; quaternions are x y z w.
class Film {
  constructor(data) {
    Object.assign(this, data);
    this.start = this.t[0];
    this.end = this.t[this.t.length - 1];
    this.samples = Film.decoded(data.poses, Int16Array);
    // Where the bodies are at the time of the last `show`.
    this.places = new Float32Array(3 * this.bodies);
    this.turns = new Float32Array(4 * this.bodies);
    for (const arrows of [this.drives, this.reactions])
      if (arrows) arrows.values = Film.decoded(arrows.values, Int16Array);
    this.mass = this.centres.reduce((sum, [mass]) => sum + mass, 0);
    this.show(this.start);
  }

  static decoded(text, Numbers) {
    const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
    return new Numbers(bytes.buffer);
  }

  // The frames around a time, and how far it is between them.
  show(time) {
    let low = 0, high = this.t.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.t[middle] <= time) low = middle; else high = middle;
    }
    this.frame = low;
    this.next = high;
    this.part = high > low ? Math.min(1, Math.max(0, (time - this.t[low]) / (this.t[high] - this.t[low]))) : 0;
    if (this.leaps(low, high)) this.part = Math.round(this.part);  // the nearer one
    this.mix(low, high, this.part);
  }

  // Whether a body turns too far from one frame to the other to be shown between them. Of two quaternions a.b is the cosine
  // of half the angle.
  leaps(low, high) {
    const least = Math.cos(this.leap * Math.PI / 360) * 32767 * 32767;
    for (let body = 0; body < this.bodies; ++body) {
      const i = 7 * (this.bodies * low + body) + 3, j = 7 * (this.bodies * high + body) + 3;
      let product = 0;
      for (let k = 0; k < 4; ++k) product += this.samples[i + k] * this.samples[j + k];
      if (Math.abs(product) < least) return true;
    }
    return false;
  }

  mix(low, high, part) {
    const a = 7 * this.bodies * low, b = 7 * this.bodies * high, unit = this.radius / 32767;
    const { samples, places, turns } = this;
    for (let body = 0; body < this.bodies; ++body) {
      const i = a + 7 * body, j = b + 7 * body;
      for (let k = 0; k < 3; ++k) places[3 * body + k] = unit * (samples[i + k] + part * (samples[j + k] - samples[i + k]));
      let square = 0;
      for (let k = 0; k < 4; ++k) {
        const u = samples[i + 3 + k] + part * (samples[j + 3 + k] - samples[i + 3 + k]);
        turns[4 * body + k] = u;
        square += u * u;
      }
      const scale = 1 / Math.sqrt(square || 1);
      for (let k = 0; k < 4; ++k) turns[4 * body + k] *= scale;
    }
  }

  // A direction of a body's axes: v + 2 w (u x v) + 2 u x (u x v) for the quaternion (u, w).
  direction(body, [x, y, z]) {
    const ux = this.turns[4 * body], uy = this.turns[4 * body + 1], uz = this.turns[4 * body + 2], w = this.turns[4 * body + 3];
    const cx = 2 * (uy * z - uz * y), cy = 2 * (uz * x - ux * z), cz = 2 * (ux * y - uy * x);
    return [x + w * cx + uy * cz - uz * cy, y + w * cy + uz * cx - ux * cz, z + w * cz + ux * cy - uy * cx];
  }
  // A place on a body.
  place(body, at) {
    const [x, y, z] = this.direction(body, at);
    return [x + this.places[3 * body], y + this.places[3 * body + 1], z + this.places[3 * body + 2]];
  }
  point(i) {
    const [body, x, y, z] = this.points[i];
    return this.place(body, [x, y, z]);
  }
  // The mass centre of all.
  centre() {
    const sum = [0, 0, 0];
    this.centres.forEach(([mass, ...at], body) => {
      if (mass > 0) this.place(body, at).forEach((x, k) => { sum[k] += mass * x / this.mass; });
    });
    return sum;
  }
  // The paths of points, frame by frame: one array of coordinates each.
  paths(points) {
    const all = points.map(() => new Float32Array(3 * this.t.length));
    for (let frame = 0; frame < this.t.length; ++frame) {
      this.mix(frame, frame, 0);
      points.forEach((place, i) => all[i].set(place(), 3 * frame));
    }
    this.mix(this.frame, this.next, this.part);
    return all;
  }
  // Points of the robot, as far out as it is thick, and corners of its solids in some frames: for the eye to fit them in.
  cloud(frames, corners) {
    const all = [], r = 1.5 * this.thickness;
    for (const frame of frames) {
      this.mix(frame, frame, 0);
      if (frame === frames[0]) this.origin = this.centre();
      for (const p of this.points.map((_, i) => this.point(i))) all.push(p.map(x => x - r), p.map(x => x + r));
      for (const [body, ...corner] of corners) all.push(this.place(body, corner));
    }
    this.mix(this.frame, this.next, this.part);
    return all;
  }
  // Some frames, from the first to the last.
  some(most) {
    const last = this.t.length - 1, count = Math.min(most, last + 1);
    return Array.from({ length: count }, (_, i) => count > 1 ? Math.round(i * last / (count - 1)) : 0);
  }
  // What is followed by a trace: what the run was asked to watch; else the tips; in a closed mechanism, which has none,
  // the joints that move.
  traced() {
    const moving = this.joints.map(([, at]) => at).filter(at => this.points[at][0] > 0);
    return [this.watched, this.tips, moving].find(points => points.length > 0)?.slice(0, 12) ?? [];
  }
  // The arrows of a kind (drives, reactions) at the time shown: entry k of the frame, in parts of the longest.
  arrow(arrows, k) {
    const count = arrows.values.length / this.t.length;
    const a = arrows.values[this.frame * count + k], b = arrows.values[this.next * count + k];
    return (a + this.part * (b - a)) / 32767;
  }
}
