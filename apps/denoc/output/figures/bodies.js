// The robot as bodies in space, with light, shadows and perspective, by three.js.
class BodyView {
  static shows = ['follow', 'frames', 'axes', 'centre', 'trace', 'drives', 'reactions'];

  constructor(stage, film) {
    this.film = film;
    this.stage = stage;
    this.renderer = new THREE.WebGLRenderer({ canvas: stage, antialias: true, preserveDrawingBuffer: true });
    this.renderer.gammaOutput = true;
    this.renderer.gammaFactor = 2.2;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(Eye.angle * 180 / Math.PI, 1, 0.01, 100);
    this.addLights();
    this.addBodies();
    this.addStruts();
    this.addSigns();
  }

  colour(hex) { return new THREE.Color(hex).convertSRGBToLinear(); }
  material(options) { return new THREE.MeshStandardMaterial({ roughness: 0.55, metalness: 0.05, ...options }); }
  add(object) {
    this.scene.add(object);
    return object;
  }

  addLights() {
    const reach = 1.25 * Math.min(this.film.radius, 4 * this.film.size);
    this.sky = this.add(new THREE.HemisphereLight(0xffffff, 0x8d8578, 0.62));
    this.sky.position.set(0, 0, 1);
    this.sun = this.add(new THREE.DirectionalLight(0xfff6e8, 0.68));
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.bias = -0.0015;
    this.sun.shadow.radius = 3;
    Object.assign(this.sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * reach, far: 6 * reach });
    this.add(this.sun.target);
    this.fill = this.add(new THREE.DirectionalLight(0xdfeaff, 0.2));
    this.reach = reach;
  }

  // Neighbours have different tones, the ends of chains an accent.
  tone(solid, isEnd) {
    const [body, role] = solid, link = 0, joint = 1;
    if (role === joint) return '#3d4650';
    if (role !== link) return '#59636e';
    return isEnd ? '#e8743b' : ['#ced5dd', '#7f9fc0'][this.depths[body] % 2];
  }
  addBodies() {
    const { film } = this, parts = Array.from({ length: film.bodies }, () => []);
    const ends = new Set(film.tips.map(i => film.points[i][0]));
    this.depths = film.parents.reduce((depths, parent, body) => [...depths, body ? depths[parent] + 1 : 0], []);
    for (const solid of film.solids) {
      const [body, , kind, size, at, turn, mesh] = solid, name = Shapes.kinds[kind];
      const geometry = Shapes[name](size, film.meshes[mesh]);
      geometry.applyMatrix(new THREE.Matrix4().compose(new THREE.Vector3(...at), new THREE.Quaternion(...turn), new THREE.Vector3(1, 1, 1)));
      parts[body].push({ geometry, colour: this.colour(this.tone(solid, ends.has(body))) });
    }
    const material = this.material({ vertexColors: THREE.VertexColors, side: film.meshes.length ? THREE.DoubleSide : THREE.FrontSide });
    this.bodies = parts.map(all => {
      const body = all.length ? new THREE.Mesh(Shapes.merged(all), material) : new THREE.Object3D();
      body.castShadow = body.receiveShadow = true;
      return this.add(body);
    });
  }

  // What stretches: slides that have moved out, rods that keep a distance, springs.
  addStruts() {
    const { film } = this, r = film.thickness;
    const strut = (geometry, thickness, material) => ([from, to]) => {
      const object = this.add(new THREE.Mesh(geometry, material));
      object.castShadow = true;
      return { object, from, to, thickness };
    };
    const rod = Shapes.cylinder([1, 1]).translate(0, 0, 0.5);
    const steel = this.material({ color: this.colour('#aab4bf'), roughness: 0.35, metalness: 0.3 });
    this.struts = film.sticks.filter(([, , body]) => body < 0).map(strut(rod, 0.6 * r, steel));
    const green = this.material({ color: this.colour('#2f9e77') });
    for (const [from, to] of film.springs) {
      const a = film.point(from), length = Math.hypot(...film.point(to).map((x, k) => x - a[k])) || film.size;
      this.struts.push(strut(Shapes.coil(1.4 * r, length), 1, green)([from, to]));
    }
  }

  // What can be shown besides: frames, axes of joints, mass centre, traces, arrows, the floor.
  addSigns() {
    const { film } = this, size = 0.2 * Math.min(film.size, film.radius);
    const above = { depthTest: false, transparent: true };  // seen through the bodies
    this.frames = this.bodies.map(body => {
      const frame = new THREE.AxesHelper(0.6 * size);
      Object.assign(frame.material, above);
      frame.renderOrder = 2;
      body.add(frame);
      return frame;
    });
    this.axes = this.line(2 * film.axes.length, THREE.LineSegments, '#e8743b', above);
    this.length = size;

    const ball = new THREE.SphereBufferGeometry(0.09 * size, 16, 16).toNonIndexed(), tones = [];
    for (let i = 0; i < ball.attributes.position.count; i += 3) {
      const [x, y, z] = [0, 1, 2].map(k => [0, 1, 2].reduce((sum, j) => sum + ball.attributes.position.array[3 * (i + j) + k], 0));
      for (let k = 0; k < 9; ++k) tones.push(x * y * z > 0 ? 1 : 0.02);
    }
    ball.setAttribute('color', new THREE.Float32BufferAttribute(tones, 3));
    this.centre = this.add(new THREE.Mesh(ball, new THREE.MeshBasicMaterial({ vertexColors: THREE.VertexColors, ...above })));
    this.centre.renderOrder = 3;
    this.plumb = this.line(2, THREE.LineSegments, '#888888', above);

    const traced = film.traced();
    const paths = film.paths([...traced.map(i => () => film.point(i)), () => film.centre()]);
    const trace = (path, colour) => {
      const line = this.line(film.t.length + 1, THREE.Line, colour);
      line.geometry.attributes.position.array.set(path);
      return { line, path };
    };
    this.centreTrace = trace(paths.pop(), '#888888');
    this.traces = paths.map((path, i) => ({ ...trace(path, '#d9480f'), point: traced[i] }));

    const arrows = (geometry, colour, count) => Array.from({ length: count }, () => {
      const arrow = this.add(new THREE.Mesh(geometry, this.material({ color: this.colour(colour), emissive: this.colour(colour), emissiveIntensity: 0.25, ...above })));
      arrow.renderOrder = 4;
      return arrow;
    });
    const straight = Shapes.arrow(), round = Shapes.turn();
    this.drives = film.drives ? film.axes.map(axis => arrows(axis[4] ? round : straight, '#7048e8', 1)[0]) : [];
    this.forces = film.reactions ? arrows(straight, '#0ca678', film.bodies - 1) : [];
    this.moments = film.reactions ? arrows(Shapes.arrow(2), '#c2255c', film.bodies - 1) : [];

    const ground = new THREE.PlaneBufferGeometry(60 * this.reach, 60 * this.reach);
    this.ground = this.add(new THREE.Mesh(ground, new THREE.ShadowMaterial({ opacity: 0.22 })));
    this.ground.receiveShadow = true;
    this.ground.position.z = -film.half[2] - 0.002 * film.radius;
    this.ground.visible = film.square > 0;
  }
  line(count, Kind, colour, options = {}) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.Float32BufferAttribute(new Float32Array(3 * count), 3));
    const line = this.add(new Kind(geometry, new THREE.LineBasicMaterial({ color: this.colour(colour), ...options })));
    line.frustumCulled = false;
    line.renderOrder = 1;
    return line;
  }

  // Squares that fade into the paper.
  grid(lines, paper) {
    const { film } = this, { square } = film, reach = Math.ceil(1.5 * Math.hypot(film.half[0], film.half[1], 0.5 * film.size) / square) + 1;
    if (this.squares) this.scene.remove(this.squares);
    if (!square) return;
    const places = [], colours = [], level = this.ground.position.z + 0.001 * film.radius;
    const put = (x, y) => {
      const fading = Math.min(1, Math.hypot(x, y) / reach), tone = lines.clone().lerp(paper, fading * fading);
      places.push(x * square, y * square, level);
      colours.push(tone.r, tone.g, tone.b);
    };
    for (let x = -reach; x <= reach; ++x)
      for (let y = -reach; y < reach; ++y) {
        put(x, y), put(x, y + 1);
        put(y, x), put(y + 1, x);
      }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.Float32BufferAttribute(places, 3));
    geometry.setAttribute('color', new THREE.Float32BufferAttribute(colours, 3));
    this.squares = this.add(new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ vertexColors: THREE.VertexColors })));
  }

  recolour() {
    const style = getComputedStyle(this.stage), tone = name => this.colour(style.getPropertyValue(name).trim());
    const paper = tone('--stage');
    this.renderer.setClearColor(new THREE.Color(style.getPropertyValue('--stage').trim()), 1);  // is not converted
    this.grid(tone('--grid'), paper);
    const isDark = paper.r + paper.g + paper.b < 1;
    this.ground.material.opacity = isDark ? 0.5 : 0.2;
    this.sky.groundColor = this.colour(isDark ? '#3a3f46' : '#a39d92');
  }
  resize(width, height, ratio) {
    this.renderer.setPixelRatio(Math.min(ratio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
  }

  draw(eye, shown) {
    const { film, camera } = this;
    this.bodies.forEach((body, b) => {
      body.position.fromArray(film.places, 3 * b);
      body.quaternion.fromArray(film.turns, 4 * b);
    });
    for (const { object, from, to, thickness } of this.struts) {
      const a = film.point(from), b = film.point(to);
      this.lay(object, a, b.map((x, k) => x - a[k]));
      object.scale.set(thickness, thickness, object.scale.z);
    }
    this.drawSigns(shown);
    const { above, towards } = eye.axes();
    camera.position.fromArray(eye.position());
    camera.up.fromArray(above);
    camera.near = 0.02 * eye.distance;
    camera.far = 3 * eye.distance + 8 * film.radius;
    camera.updateProjectionMatrix();
    camera.lookAt(...eye.target);
    // The sun is behind the reader's left shoulder where he began, the other light opposite.
    this.sun.target.position.fromArray(eye.follows ? eye.target : [0, 0, 0]);
    this.sun.position.set(-1.1, -1.6, 2.2).applyAxisAngle(new THREE.Vector3(0, 0, 1), film.yaw).setLength(3 * this.reach).add(this.sun.target.position);
    this.fill.position.set(towards[0] + 0.8 * towards[1], towards[1] - 0.8 * towards[0], 0.3);
    this.renderer.render(this.scene, camera);
  }

  // An object of length 1 along its z: from a place, along a vector.
  lay(object, at, vector) {
    const length = Math.hypot(...vector);
    object.visible = length > 1e-9;
    if (!object.visible) return 0;
    object.position.fromArray(at);
    object.quaternion.setFromUnitVectors(BodyView.up, BodyView.way.fromArray(vector).divideScalar(length));
    object.scale.set(length, length, length);
    return length;
  }

  // A path as far as it has been gone: the frames so far, then the place now.
  trail({ line, path }, now) {
    const { array } = line.geometry.attributes.position, next = 3 * (this.film.frame + 1);
    array.set(path);
    array.set(now, next);
    line.geometry.attributes.position.needsUpdate = true;
    line.geometry.setDrawRange(0, this.film.frame + 2);
  }

  drawSigns(shown) {
    const { film } = this, size = this.length;
    for (const frame of this.frames) frame.visible = shown.frames;
    this.axes.visible = shown.axes;
    if (shown.axes) {
      const ends = this.axes.geometry.attributes.position;
      film.axes.forEach(([atBody, at, body, axis], i) => {
        const middle = film.place(atBody, at), u = film.direction(body, axis);
        for (let k = 0; k < 3; ++k) {
          ends.array[6 * i + k] = middle[k] - 0.7 * size * u[k];
          ends.array[6 * i + 3 + k] = middle[k] + 0.7 * size * u[k];
        }
      });
      ends.needsUpdate = true;
    }
    this.centre.visible = this.plumb.visible = shown.centre;
    this.centreTrace.line.visible = shown.centre && shown.trace;
    if (shown.centre) {
      const place = film.centre(), ends = this.plumb.geometry.attributes.position;
      this.centre.position.fromArray(place);
      ends.array.set([...place, place[0], place[1], this.ground.position.z]);
      ends.needsUpdate = true;
      this.plumb.visible = film.square > 0;
      this.trail(this.centreTrace, place);
    }
    for (const trace of this.traces) {
      trace.line.visible = shown.trace;
      if (shown.trace) this.trail(trace, film.point(trace.point));
    }

    this.drives.forEach((arrow, k) => {
      const [atBody, at, body, axis, isAngular] = film.axes[k], part = shown.drives ? film.arrow(film.drives, k) : 0;
      const least = Math.abs(part) < 0.01 ? 0 : part;
      this.lay(arrow, film.place(atBody, at), film.direction(body, axis).map(u => u * least * size * (isAngular ? 0.8 : 2)));
    });
    const reaction = (arrows, first) => arrows.forEach((arrow, i) => {
      const body = i + 1, part = [0, 1, 2].map(k => shown.reactions ? film.arrow(film.reactions, 6 * i + first + k) : 0);
      this.lay(arrow, film.place(body, film.pivots[body]), film.direction(body, part).map(u => 2.2 * size * u));
    });
    reaction(this.moments, 0);
    reaction(this.forces, 3);
  }
}
if (typeof THREE !== 'undefined') {
  BodyView.up = new THREE.Vector3(0, 0, 1);
  BodyView.way = new THREE.Vector3();
}
