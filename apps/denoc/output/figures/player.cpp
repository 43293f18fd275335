// What runs in the reader's browser, as text. It needs nothing but the page it is in.
#include "output/figures/animation.hpp"

namespace denoc::figures {

std::string_view player_elements() {
  return R"html(<div class="player" id="player">
<canvas id="stage" tabindex="0" aria-label="The robot in motion"></canvas>
<div class="controls">
<button type="button" id="play" aria-label="Play or pause">&#9654;</button>
<input type="range" id="scrub" min="0" max="1000" value="0" step="1" aria-label="Time">
<output id="clock"></output>
<label>Speed <select id="speed"><option value="0.25">0.25&#215;</option><option value="0.5">0.5&#215;</option>
<option value="1" selected>1&#215;</option><option value="2">2&#215;</option><option value="4">4&#215;</option></select></label>
<button type="button" id="home">Reset view</button>
</div>
<p class="hint">Drag to turn, wheel to zoom, space to play or pause; a click in a plot goes to that time.</p>
</div>
)html";
}

std::string_view player_script() {
  return R"js('use strict';
(() => {
  const at = id => document.getElementById(id);
  const stage = at('stage'), play = at('play'), scrub = at('scrub'), clock = at('clock'), speed = at('speed');
  const pen = stage.getContext('2d');
  const times = film.t, start = times[0], end = times[times.length - 1];
  const turning = 0, sliding = 1;
  let time = start, playing = false, last = 0;
  let yaw = film.yaw, pitch = film.pitch, zoom = 1;

  // The points at a time between two frames.
  const points = t => {
    let low = 0, high = times.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= t) low = middle; else high = middle;
    }
    const a = film.frames[low], b = film.frames[high];
    const part = high > low ? Math.min(1, Math.max(0, (t - times[low]) / (times[high] - times[low]))) : 0;
    return a.map((x, i) => x + part * (b[i] - x));
  };

  // To the right and upward on the page, seen from that side.
  const turned = (yaw, pitch) => {
    const cy = Math.cos(yaw), sy = Math.sin(yaw), cp = Math.cos(pitch), sp = Math.sin(pitch);
    return (x, y, z) => [cy * x + sy * y, sp * (cy * y - sy * x) + cp * z];
  };
  // How far from the middle anything ever is in the first view: that much fits on the stage.
  const reach = [1, 1], first = turned(film.yaw, film.pitch);
  for (const frame of film.frames)
    for (let i = 0; i < frame.length; i += 3)
      first(frame[i], frame[i + 1], frame[i + 2]).forEach((x, k) => { reach[k] = Math.max(reach[k], Math.abs(x)); });

  const draw = () => {
    const ratio = window.devicePixelRatio || 1, width = stage.clientWidth, height = stage.clientHeight;
    if (stage.width !== Math.round(width * ratio) || stage.height !== Math.round(height * ratio)) {
      stage.width = Math.round(width * ratio);
      stage.height = Math.round(height * ratio);
    }
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const scale = zoom * Math.min(0.45 * width / reach[0], 0.42 * height / reach[1]);
    const seen = turned(yaw, pitch);
    const page = (x, y, z) => {
      const [right, above] = seen(x, y, z);
      return [width / 2 + scale * right, height / 2 - scale * above];
    };
    const place = (frame, i) => page(frame[3 * i], frame[3 * i + 1], frame[3 * i + 2]);
    const path = (list, colour, thickness) => {
      pen.beginPath();
      list.forEach(([x, y], i) => i ? pen.lineTo(x, y) : pen.moveTo(x, y));
      pen.strokeStyle = colour;
      pen.lineWidth = thickness;
      pen.stroke();
    };
    const style = getComputedStyle(stage), ink = style.getPropertyValue('--ink'), pale = style.getPropertyValue('--pale');
    const trail = style.getPropertyValue('--accent'), paper = style.getPropertyValue('--card');
    pen.lineCap = 'round';
    pen.lineJoin = 'round';

    const { square, level, nx, ny } = film.floor;
    for (let k = -nx; square && k <= nx; ++k)
      path([page(k * square, -ny * square, level), page(k * square, ny * square, level)], pale, 1);
    for (let k = -ny; square && k <= ny; ++k)
      path([page(-nx * square, k * square, level), page(nx * square, k * square, level)], pale, 1);
    const now = points(time);
    for (const tip of film.tips) {
      const past = [];
      for (let i = 0; i < times.length && times[i] < time; ++i) past.push(place(film.frames[i], tip));
      past.push(place(now, tip));
      path(past, trail, 1);
    }
    for (const p of film.ground) {
      const [x, y] = place(now, p);
      path([[x, y], [x - 8, y + 12], [x + 8, y + 12], [x, y]], style.getPropertyValue('--soft'), 1.2);
      path([[x - 14, y + 12], [x + 14, y + 12]], style.getPropertyValue('--soft'), 1.6);
    }
    pen.setLineDash([3, 3]);
    for (const [from, to] of film.springs) path([place(now, from), place(now, to)], style.getPropertyValue('--soft'), 2);
    pen.setLineDash([]);
    for (const [from, to] of film.sticks) path([place(now, from), place(now, to)], ink, 4);
    const small = film.joints.length > 16;
    for (const [symbol, middle, from, to] of film.joints) {
      const [x, y] = place(now, middle), a = place(now, from), b = place(now, to);
      const drawn = Math.hypot(b[0] - a[0], b[1] - a[1]);
      const length = scale * Math.hypot(...[0, 1, 2].map(k => now[3 * to + k] - now[3 * from + k]));
      if (symbol === turning && drawn > 0.3 * length) {
        pen.lineCap = 'butt';
        path([a, b], trail, 7);
        pen.lineCap = 'round';
        continue;
      }
      pen.beginPath();
      if (symbol === sliding) {
        pen.save();
        pen.translate(x, y);
        pen.rotate(Math.atan2(b[1] - a[1], b[0] - a[0]));
        pen.rect(-6, -6, 12, 12);
        pen.restore();
      } else {
        pen.arc(x, y, small ? 1.5 : 5.5, 0, 2 * Math.PI);
      }
      pen.fillStyle = small ? ink : paper;
      pen.fill();
      pen.strokeStyle = ink;
      pen.lineWidth = 1.6;
      pen.stroke();
    }
  };

  // A line through every plot at the time shown.
  const cursors = [...document.querySelectorAll('svg g.panel')].map(panel => {
    const { left, right, top, bottom, from, to } = panel.dataset;
    const line = document.createElementNS(panel.namespaceURI, 'line');
    line.setAttribute('y1', top);
    line.setAttribute('y2', bottom);
    line.setAttribute('stroke', '#d55e00');
    line.setAttribute('stroke-width', '1');
    line.setAttribute('class', 'cursor');
    panel.append(line);
    const svg = panel.ownerSVGElement;
    svg.addEventListener('click', event => {
      const box = svg.getBoundingClientRect(), x = (event.clientX - box.left) / box.width * svg.viewBox.baseVal.width;
      if (x >= +left && x <= +right) show(+from + (x - left) / (right - left) * (to - from));
    });
    return t => {
      const x = +left + (t - from) / (to - from) * (right - left);
      line.setAttribute('x1', x);
      line.setAttribute('x2', x);
    };
  });

  const decimals = Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(end - start || 1))));
  const show = t => {
    time = Math.min(end, Math.max(start, t));
    scrub.value = end > start ? 1000 * (time - start) / (end - start) : 0;
    clock.textContent = time.toFixed(decimals) + ' s';
    cursors.forEach(move => move(time));
    draw();
  };
  const tick = now => {
    if (!playing) return;
    show(time + (now - last) / 1000 * speed.value);
    last = now;
    if (time >= end) toggle(); else requestAnimationFrame(tick);
  };
  const toggle = () => {
    playing = !playing;
    play.textContent = playing ? '\u275A\u275A' : '\u25B6';
    if (!playing) return;
    if (time >= end) show(start);
    last = performance.now();
    requestAnimationFrame(tick);
  };

  play.addEventListener('click', toggle);
  scrub.addEventListener('input', () => show(start + scrub.value / 1000 * (end - start)));
  at('home').addEventListener('click', () => { yaw = film.yaw; pitch = film.pitch; zoom = 1; draw(); });
  document.addEventListener('keydown', event => {
    if (event.code !== 'Space' || ['BUTTON', 'SELECT', 'SUMMARY'].includes(event.target.tagName)) return;
    event.preventDefault();
    toggle();
  });
  stage.addEventListener('pointerdown', event => stage.setPointerCapture(event.pointerId));
  stage.addEventListener('pointermove', event => {
    if (!stage.hasPointerCapture(event.pointerId)) return;
    yaw -= event.movementX * 0.008;
    pitch = Math.min(Math.PI / 2, Math.max(-Math.PI / 2, pitch + event.movementY * 0.008));
    draw();
  });
  stage.addEventListener('wheel', event => {
    event.preventDefault();
    zoom = Math.min(20, Math.max(0.2, zoom * Math.exp(-event.deltaY * 0.0015)));
    draw();
  }, { passive: false });
  new ResizeObserver(draw).observe(stage);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  show(start);
})();
)js";
}

}  // namespace denoc::figures
