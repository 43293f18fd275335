// What plots can do on a page: say which curve is under the pointer and its value there, and carry the line of a film's time.
const plots = [...document.querySelectorAll('svg g.panel')].map(panel => {
  const { left, right, top, bottom, from, to, low, high, scale, unit } = panel.dataset;
  const svg = panel.ownerSVGElement, make = (kind, attributes) => {
    const element = document.createElementNS(panel.namespaceURI, kind);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  const place = event => {
    const box = svg.getBoundingClientRect(), width = svg.viewBox.baseVal.width;
    return [(event.clientX - box.left) / box.width * width, (event.clientY - box.top) / box.width * width];
  };
  const has = ([x, y]) => x >= +left && x <= +right && y >= +top && y <= +bottom;

  // The points of a curve on the page, read from its path when they are first wanted.
  const curves = [...panel.querySelectorAll('.curve')].map(path => ({ path, name: path.dataset.name, points: null }));
  const points = curve => curve.points ||= curve.path.getAttribute('d').match(/[ML][^ML]+/g).map(part => part.slice(1).split(' ').map(Number));
  const height = (curve, x) => {
    const all = points(curve);
    let first = 0, last = all.length - 1;
    if (last < 1 || x < all[0][0] - 1 || x > all[last][0] + 1) return NaN;
    while (last - first > 1) {
      const middle = (first + last) >> 1;
      if (all[middle][0] <= x) first = middle; else last = middle;
    }
    const [[xa, ya], [xb, yb]] = [all[first], all[last]];
    return xb > xa ? ya + Math.min(1, Math.max(0, (x - xa) / (xb - xa))) * (yb - ya) : ya;
  };
  // Curves are drawn to a hundredth of a pixel: a value means no more than that.
  const value = y => {
    const part = (bottom - y) / (bottom - top), digit = (high - low) / (bottom - top) / 100;
    return scale === 'log' ? low * Math.pow(high / low, part) : Math.round((+low + part * (high - low)) / digit) * digit;
  };

  const label = make('g', { class: 'label', visibility: 'hidden' });
  const card = make('rect', { rx: 3, height: 20 }), words = make('text', { x: 6, y: 14 }), dot = make('circle', { r: 3.2 });
  label.append(card, words);
  panel.append(dot, label);
  dot.setAttribute('visibility', 'hidden');
  let chosen = null;
  const choose = curve => {
    if (curve === chosen) return;
    chosen = curve;
    panel.classList.toggle('choosing', Boolean(curve));
    curves.forEach(other => other.path.classList.toggle('chosen', other === curve));
    for (const part of [label, dot]) part.setAttribute('visibility', curve ? 'visible' : 'hidden');
  };
  const point = event => {
    const [x, y] = place(event);
    let best = null, least = 40;  // px
    for (const curve of has([x, y]) ? curves : []) {
      const gap = Math.abs(height(curve, x) - y);
      if (gap < least) [best, least] = [curve, gap];
    }
    choose(best);
    if (!best) return;
    const at = height(best, x);
    words.textContent = [best.name, Number(value(at).toPrecision(4)), unit].filter(part => part !== '').join(' ').replace('-', '\u2212');
    const wide = words.getComputedTextLength() + 12;
    card.setAttribute('width', wide);
    label.setAttribute('transform', `translate(${Math.min(x + 10, +right - wide)} ${Math.max(+top, at - 28)})`);
    dot.setAttribute('cx', x);
    dot.setAttribute('cy', at);
  };
  svg.addEventListener('pointermove', point);
  svg.addEventListener('pointerdown', point);
  svg.addEventListener('pointerleave', () => choose(null));

  let line = null;
  return {
    cursor(time) {
      if (!line) panel.append(line = make('line', { class: 'cursor', y1: top, y2: bottom, stroke: '#d55e00' }));
      const x = +left + (time - from) / (to - from) * (right - left);
      line.setAttribute('x1', x);
      line.setAttribute('x2', x);
    },
    onTime(show) {
      svg.addEventListener('click', event => {
        const at = place(event);
        if (has(at)) show(+from + (at[0] - left) / (right - left) * (to - from));
      });
    },
  };
});
