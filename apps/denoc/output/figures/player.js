// Plays `film` on the stage of the page: time, buttons, and the line that runs through the plots.
(() => {
  const at = id => document.getElementById(id);
  const stage = at('stage'), play = at('play'), scrub = at('scrub'), clock = at('clock'), speed = at('speed');
  const film = new Film(filmData), eye = new Eye(film), { start, end } = film, isStill = film.t.length < 2;
  const toggles = ['follow', 'trace', 'centre', 'axes', 'frames', 'drives', 'reactions'];

  const made = () => {
    if (typeof THREE === 'undefined') return new StickView(stage, film);
    try {
      return new BodyView(stage, film);
    } catch (problem) {
      const flat = stage.cloneNode();
      stage.replaceWith(flat);
      at('hint').prepend('This browser has no WebGL: the robot is drawn as sticks. ');
      return new StickView(flat, film);
    }
  };
  const view = made(), canvas = at('stage');

  // What is shown, by the boxes that are ticked; those that have nothing to show are not there.
  const shown = {};
  const offered = id => view.constructor.shows.includes(id) && !(id in film && !film[id]) &&
    !(isStill && ['follow', 'trace'].includes(id));
  const number = x => Number(x.toPrecision(3));
  const scales = () => {
    const of = (arrows, angular, linear) => [[angular, arrows.angular, 'N m'], [linear, arrows.linear, 'N']]
      .filter(([, peak]) => peak > 0).map(([name, peak, unit]) => `${name} ${number(peak)} ${unit}`);
    const all = [...(shown.drives ? of(film.drives, 'torque', 'force') : []),
      ...(shown.reactions ? of(film.reactions, 'reaction moment (two heads)', 'reaction force') : [])];
    at('scale').hidden = !all.length;
    at('scale').textContent = 'Longest arrows: ' + all.join(', ') + '.';
  };
  at('follow').checked = eye.follows;
  for (const id of toggles) {
    const box = at(id);
    box.parentNode.hidden = !offered(id);
    shown[id] = box.checked && offered(id);
    box.addEventListener('change', () => {
      shown[id] = box.checked;
      if (id === 'follow') {
        eye.follows = box.checked;
        eye.offset = eye.target.map((x, k) => x - film.centre()[k]);
      }
      scales();
      draw();
    });
  }

  const draw = () => {
    eye.follow(film.centre());
    view.draw(eye, shown);
  };
  let wasSeen = false;
  const resize = () => {
    const width = canvas.clientWidth, height = canvas.clientHeight;
    if (!width || !height) return;
    view.resize(width, height, window.devicePixelRatio || 1);
    if (!wasSeen) eye.home(width / height);
    wasSeen = true;
    draw();
  };
  const home = () => {
    eye.home(canvas.clientWidth / canvas.clientHeight);
    draw();
  };

  let time = start, isPlaying = false, last = 0, isVisible = true;
  const decimals = Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(end - start || 1))));
  const show = t => {
    time = Math.min(end, Math.max(start, t));
    film.show(time);
    scrub.value = end > start ? 1000 * (time - start) / (end - start) : 0;
    clock.textContent = time.toFixed(decimals) + ' s';
    plots.forEach(plot => plot.cursor(time));
    draw();
  };
  // Again from the start at the end; nothing is drawn that nobody sees.
  const tick = now => {
    if (!isPlaying) return;
    const passed = (now - last) / 1000 * speed.value;
    last = now;
    if (isVisible || isRecording()) show(time >= end ? start : time + passed);
    requestAnimationFrame(tick);
  };
  const set = playing => {
    isPlaying = playing;
    play.textContent = playing ? '\u275A\u275A' : '\u25B6';
    if (!playing) return;
    last = performance.now();
    requestAnimationFrame(tick);
  };

  // One run from start to end as a WebM file, as the page shows it.
  let recorder = null;
  const isRecording = () => recorder !== null;
  const save = (url, name) => Object.assign(document.createElement('a'), { href: url, download: name }).click();
  const record = () => {
    if (isRecording()) return recorder.stop();
    const pieces = [];
    recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: 'video/webm', videoBitsPerSecond: 8e6 });
    recorder.ondataavailable = event => pieces.push(event.data);
    recorder.onstop = () => {
      recorder = null;
      at('video').textContent = 'Video';
      save(URL.createObjectURL(new Blob(pieces, { type: 'video/webm' })), document.title + '.webm');
    };
    at('video').textContent = 'Stop';
    show(start);
    recorder.start();
    set(true);
    const watch = () => {
      if (!isRecording()) return;
      if (time >= end) recorder.stop(); else requestAnimationFrame(watch);
    };
    requestAnimationFrame(watch);
  };

  at('told').hidden = !film.told;
  at('told').textContent = film.told;
  at('timeline').hidden = at('hint-time').hidden = isStill;
  at('video').hidden = isStill || typeof MediaRecorder === 'undefined' || !canvas.captureStream;
  at('video').addEventListener('click', record);
  at('photo').addEventListener('click', () => {
    draw();
    save(canvas.toDataURL('image/png'), document.title + '.png');
  });
  play.addEventListener('click', () => set(!isPlaying));
  scrub.addEventListener('input', () => show(start + scrub.value / 1000 * (end - start)));
  at('home').addEventListener('click', home);
  document.addEventListener('keydown', event => {
    if (event.code !== 'Space' || ['BUTTON', 'SELECT', 'SUMMARY', 'INPUT'].includes(event.target.tagName)) return;
    event.preventDefault();
    set(!isPlaying);
  });
  eye.attach(canvas, () => draw());
  plots.forEach(plot => plot.onTime(show));
  new ResizeObserver(resize).observe(canvas);
  new IntersectionObserver(([entry]) => { isVisible = entry.isIntersecting; }).observe(canvas);
  const recolour = () => {
    view.recolour();
    draw();
  };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', recolour);
  view.recolour();
  resize();
  show(start);
  // By itself, unless the reader asked his system for rest.
  if (!isStill && !matchMedia('(prefers-reduced-motion: reduce)').matches) set(true);
})();
