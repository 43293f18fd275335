// The robot as sticks on a flat canvas: what is drawn where there is no three.js, or no WebGL.
class StickView {
  constructor(stage, film) {
    this.stage = stage;
    this.film = film;
    this.pen = stage.getContext('2d');
    this.traced = film.traced();
    this.paths = film.paths(this.traced.map(i => () => film.point(i)));
  }
  static shows = ['follow', 'centre', 'trace'];

  recolour() {
    const style = getComputedStyle(this.stage), colour = name => style.getPropertyValue(name);
    this.colours = { ink: colour('--ink'), pale: colour('--pale'), soft: colour('--soft'), accent: colour('--accent'), card: colour('--card') };
  }
  resize(width, height, ratio) {
    this.stage.width = Math.round(width * ratio);
    this.stage.height = Math.round(height * ratio);
    Object.assign(this, { width, height, ratio });
  }

  path(list, colour, thickness) {
    const { pen } = this;
    pen.beginPath();
    list.forEach(([x, y], i) => i ? pen.lineTo(x, y) : pen.moveTo(x, y));
    pen.strokeStyle = colour;
    pen.lineWidth = thickness;
    pen.stroke();
  }

  draw(eye, shown) {
    const { pen, film, width, height, colours } = this;
    const { right, above } = eye.axes(), scale = height / (2 * eye.distance * Math.tan(Eye.angle / 2));
    const page = p => {
      const d = p.map((x, k) => x - eye.target[k]);
      return [width / 2 + scale * Eye.dot(d, right), height / 2 - scale * Eye.dot(d, above)];
    };
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.fillStyle = colours.card;
    pen.fillRect(0, 0, width, height);
    pen.lineCap = pen.lineJoin = 'round';
    this.floor(page);
    if (shown.trace)
      this.traced.forEach((i, k) => {
        const past = [];
        for (let j = 0; j <= film.frame; ++j) past.push(page([...this.paths[k].subarray(3 * j, 3 * j + 3)]));
        past.push(page(film.point(i)));
        this.path(past, colours.accent, 1);
      });
    const now = film.points.map((_, i) => page(film.point(i)));
    for (const p of film.ground) {
      const [x, y] = now[p];
      this.path([[x, y], [x - 8, y + 12], [x + 8, y + 12], [x, y]], colours.soft, 1.2);
      this.path([[x - 14, y + 12], [x + 14, y + 12]], colours.soft, 1.6);
    }
    pen.setLineDash([3, 3]);
    for (const [from, to] of film.springs) this.path([now[from], now[to]], colours.soft, 2);
    pen.setLineDash([]);
    for (const [from, to] of film.sticks) this.path([now[from], now[to]], colours.ink, 4);
    for (const joint of film.joints) this.joint(joint, now, scale);
    if (shown.centre) {
      pen.beginPath();
      pen.arc(...page(film.centre()), 6, 0, 2 * Math.PI);
      pen.fillStyle = colours.accent;
      pen.fill();
    }
  }

  floor(page) {
    const { square, half } = this.film;
    if (!square) return;
    const [nx, ny] = half.map(x => Math.ceil(x / square + 0.5));
    for (let k = -nx; k <= nx; ++k)
      this.path([page([k * square, -ny * square, -half[2]]), page([k * square, ny * square, -half[2]])], this.colours.pale, 1);
    for (let k = -ny; k <= ny; ++k)
      this.path([page([-nx * square, k * square, -half[2]]), page([nx * square, k * square, -half[2]])], this.colours.pale, 1);
  }

  joint([symbol, middle, from, to], now, scale) {
    const { pen, film, colours } = this, turning = 0, sliding = 1, isSmall = film.joints.length > 16;
    const [x, y] = now[middle], a = now[from], b = now[to], drawn = Math.hypot(b[0] - a[0], b[1] - a[1]);
    const length = scale * Math.hypot(...film.points[to].slice(1).map((u, k) => u - film.points[from][k + 1]));
    if (symbol === turning && drawn > 0.3 * length) {
      pen.lineCap = 'butt';
      this.path([a, b], colours.accent, 7);
      pen.lineCap = 'round';
      return;
    }
    pen.beginPath();
    if (symbol === sliding) {
      pen.save();
      pen.translate(x, y);
      pen.rotate(Math.atan2(b[1] - a[1], b[0] - a[0]));
      pen.rect(-6, -6, 12, 12);
      pen.restore();
    } else {
      pen.arc(x, y, isSmall ? 1.5 : 5.5, 0, 2 * Math.PI);
    }
    pen.fillStyle = isSmall ? colours.ink : colours.card;
    pen.fill();
    pen.strokeStyle = colours.ink;
    pen.lineWidth = 1.6;
    pen.stroke();
  }
}
