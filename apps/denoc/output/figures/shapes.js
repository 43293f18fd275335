// Geometries of three.js for the shapes of a film: plain, few triangles, with normals.
const Shapes = {
  kinds: ['box', 'sphere', 'cylinder', 'capsule', 'ellipsoid', 'mesh'],

  // A box with rounded edges: a cube's grid whose outer lines are bent around the radius r.
  box([x, y, z]) {
    const half = [x / 2, y / 2, z / 2], r = 0.16 * Math.min(x, y, z);
    const grid = new THREE.BoxBufferGeometry(1, 1, 1, 5, 5, 5), at = grid.attributes.position.array;
    for (let i = 0; i < at.length; i += 3) {
      let length = 0;
      const inner = [], out = [];
      for (let k = 0; k < 3; ++k) {
        const line = Math.round(5 * at[i + k]) / 5, side = Math.sign(line), core = half[k] - r;
        const place = Math.abs(line) > 0.4 ? half[k] : Math.abs(line) > 0.2 ? half[k] - 0.42 * r : core;
        inner[k] = side * core;
        out[k] = side * (place - core);
        length += out[k] * out[k];
      }
      length = Math.sqrt(length) || 1;
      for (let k = 0; k < 3; ++k) {
        grid.attributes.normal.array[i + k] = out[k] / length;
        at[i + k] = inner[k] + r * out[k] / length;
      }
    }
    return grid;
  },
  sphere([r]) { return new THREE.SphereBufferGeometry(r, 28, 18); },
  ellipsoid(size) { return new THREE.SphereBufferGeometry(1, 28, 18).scale(...size); },
  // About z, from points (radius, height) with their normals in pairs: corners stay sharp.
  turned(profile, segments = 28) {
    const places = [], normals = [], corners = [];
    for (let i = 0; i <= segments; ++i) {
      const c = Math.cos(2 * Math.PI * i / segments), s = Math.sin(2 * Math.PI * i / segments);
      for (const [r, z, nr, nz] of profile) {
        places.push(r * c, r * s, z);
        normals.push(nr * c, nr * s, nz);
      }
    }
    for (let i = 0; i < segments; ++i)
      for (let k = 0; k + 1 < profile.length; ++k) {
        const a = i * profile.length + k, b = a + profile.length;
        corners.push(a, b, b + 1, a, b + 1, a + 1);
      }
    return Shapes.geometry(places, normals, corners);
  },
  cylinder([r, length]) {
    const h = length / 2, e = Math.min(0.12 * r, 0.2 * h), d = Math.SQRT1_2;
    return Shapes.turned([[0, -h, 0, -1], [r - e, -h, 0, -1], [r - e, -h, d, -d], [r, -h + e, d, -d], [r, -h + e, 1, 0],
      [r, h - e, 1, 0], [r, h - e, d, d], [r - e, h, d, d], [r - e, h, 0, 1], [0, h, 0, 1]]);
  },
  capsule([r, length]) {
    const profile = [];
    for (const side of [-1, 1])
      for (let i = 0; i <= 7; ++i) {
        const angle = side < 0 ? -Math.PI / 2 * (1 - i / 7) : Math.PI / 2 * i / 7, c = Math.cos(angle), s = Math.sin(angle);
        profile.push([r * c, side * length / 2 + r * s, c, s]);
      }
    return Shapes.turned(profile, 20);
  },
  cone(r, from, to) { return Shapes.turned([[0, from, 0, -1], [r, from, 0, -1], [r, from, 0.95, 0.3], [0, to, 0.95, 0.3]], 16); },

  // Normals are the mean of the faces around a corner that are turned by less than 40 degrees: edges stay edges.
  mesh(size, { middle, half, points, triangles }) {
    const at = Film.decoded(points, Int16Array), corners = Film.decoded(triangles, Uint16Array);
    const flips = size[0] * size[1] * size[2] < 0, place = i => [0, 1, 2].map(k => size[k] * (middle[k] + half[k] * at[3 * i + k] / 32767));
    const faces = [], around = Array.from({ length: at.length / 3 }, () => []);
    for (let i = 0; i < corners.length; i += 3) {
      const three = flips ? [corners[i], corners[i + 2], corners[i + 1]] : [corners[i], corners[i + 1], corners[i + 2]];
      const [a, b, c] = three.map(place), u = b.map((x, k) => x - a[k]), v = c.map((x, k) => x - a[k]);
      const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
      const face = { three, places: [a, b, c], normal, area: Math.hypot(...normal) || 1e-30 };
      three.forEach(corner => around[corner].push(face));
      faces.push(face);
    }
    const places = [], normals = [];
    for (const face of faces)
      face.three.forEach((corner, k) => {
        const sum = [0, 0, 0];
        for (const other of around[corner])
          if (Eye.dot(face.normal, other.normal) > 0.77 * face.area * other.area) other.normal.forEach((x, i) => { sum[i] += x; });
        const length = Math.hypot(...sum) || 1;
        places.push(...face.places[k]);
        normals.push(...sum.map(x => x / length));
      });
    return Shapes.geometry(places, normals, places.map((_, i) => i).slice(0, places.length / 3));
  },

  geometry(places, normals, corners) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.Float32BufferAttribute(places, 3));
    geometry.setAttribute('normal', new THREE.Float32BufferAttribute(normals, 3));
    geometry.setIndex(corners);
    return geometry;
  },

  // Many geometries with colours as one: a body is one object to draw.
  merged(parts) {
    const places = [], normals = [], colours = [], corners = [];
    for (const { geometry, colour } of parts) {
      const first = places.length / 3, { position, normal } = geometry.attributes;
      for (let i = 0; i < position.array.length; ++i) {
        places.push(position.array[i]);
        normals.push(normal.array[i]);
      }
      for (let i = 0; i < position.count; ++i) colours.push(colour.r, colour.g, colour.b);
      for (const corner of geometry.index.array) corners.push(first + corner);
    }
    const all = Shapes.geometry(places, normals, corners);
    all.setAttribute('color', new THREE.Float32BufferAttribute(colours, 3));
    return all;
  },

  // Arrows of length 1 along z. A moment has two heads.
  arrow(heads = 1) {
    const parts = [Shapes.turned([[0, 0, 0, -1], [0.022, 0, 1, 0], [0.022, 0.8, 1, 0]], 12)];
    for (let i = 0; i < heads; ++i) parts.push(Shapes.cone(0.062, 0.76 - 0.17 * i, 1 - 0.17 * i));
    return Shapes.merged(parts.map(geometry => ({ geometry, colour: new THREE.Color(1, 1, 1) })));
  },
  // Three quarters of a circle of radius 1 about z, with a head in the sense of turning.
  turn() {
    const arc = new THREE.TorusBufferGeometry(1, 0.05, 8, 40, 1.5 * Math.PI);
    const head = Shapes.cone(0.15, 0, 0.42).rotateX(-Math.PI / 2).rotateZ(1.5 * Math.PI).translate(0, -1, 0);
    return Shapes.merged([arc, head].map(geometry => ({ geometry, colour: new THREE.Color(1, 1, 1) })));
  },
  // A spring of that radius along z, of length 1 so that it can be stretched: its wire is round at the length given.
  coil(r, length, turns = 9) {
    class Helix extends THREE.Curve {
      getPoint(part) {
        const angle = 2 * Math.PI * turns * Math.min(1, Math.max(0, (part - 0.08) / 0.84)), out = part < 0.06 || part > 0.94 ? 0 : r;
        return new THREE.Vector3(out * Math.cos(angle), out * Math.sin(angle), part * length);
      }
    }
    return new THREE.TubeBufferGeometry(new Helix(), 30 * turns, Math.min(0.2 * r, 0.25 * length / turns), 6).scale(1, 1, 1 / length);
  },
};
