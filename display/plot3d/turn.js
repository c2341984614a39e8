var img = this, host = img.parentNode, o = JSON.parse(img.dataset.scene);
img.onload = null;
var az = o.Azimuth, el = o.Elevation, svg = null, held = null;
var half = [-0.5, 0.5], xs = o.XS || [], ys = o.YS || [], nx = xs.length;
function num(v) { return String(Math.round(v * 100) / 100) }
function text(s) { return s.replace(/&/g, '&amp;').replace(/</g, '&lt;') }
function cross(a, b) { return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]] }
function dot(a, b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] }
function minus(a, b) { return [a[0] - b[0], a[1] - b[1], a[2] - b[2]] }
function meets(p, d, a, b, c) {
  var e = minus(b, a), f = minus(c, a), q = cross(d, f), det = dot(e, q);
  if (Math.abs(det) < 1e-14) return false;
  var t = minus(p, a), u = dot(t, q) / det, w = cross(t, e), v = dot(d, w) / det;
  return u >= -1e-9 && v >= -1e-9 && u + v <= 1 + 1e-9 && dot(f, w) / det > 1e-9;
}
var faces = (o.Faces || []).map(function (f) {
  var i = f[0], j = f[1], c = [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]].map(function (k) {
    return [xs[k[0]], ys[k[1]], o.Z[k[1] * nx + k[0]]];
  });
  return { i: i, j: j, c: c, color: o.Colors[f[2]] };
});
function scene() {
  var sa = Math.sin(az * Math.PI / 180), ca = Math.cos(az * Math.PI / 180), se = Math.sin(el * Math.PI / 180), ce = Math.cos(el * Math.PI / 180);
  var right = [-sa, ca, 0], up = [-se * ca, -se * sa, ce], eye = [ce * ca, ce * sa, se], sight = [eye[0], eye[1], eye[2] / o.Flat];
  function at(p) {
    var q = [p[0], p[1], p[2] * o.Flat];
    return [o.X + o.Scale * dot(q, right), o.Y - o.Scale * dot(q, up)];
  }
  function path(ps) { return ps.map(function (p) { var q = at(p); return num(q[0]) + ' ' + num(q[1]) }).join('L') }
  var far = eye.map(function (e) { return e > 0 ? -0.5 : 0.5 }), out = [];
  function draw(ps, attr) { out.push('<path d="M' + path(ps) + '" ' + attr + '/>') }
  for (var k = 0; k < 3; k++) {
    var a = (k + 1) % 3, b = (k + 2) % 3;
    var place = function (x, y) { var p = [0, 0, 0]; p[k] = far[k]; p[a] = x; p[b] = y; return p };
    draw([place(-.5, -.5), place(.5, -.5), place(.5, .5), place(-.5, .5), place(-.5, -.5)], 'fill="#f5f6f8" stroke="#e6e6e6" stroke-width=".8"');
    o.Axes[a].Ticks.forEach(function (t) { draw([place(t, -.5), place(t, .5)], 'stroke="#e6e6e6" stroke-width=".8"') });
    o.Axes[b].Ticks.forEach(function (t) { draw([place(-.5, t), place(.5, t)], 'stroke="#e6e6e6" stroke-width=".8"') });
  }
  function label(x, y, s, size, color, anchor, turned) {
    out.push('<text x="' + num(x) + '" y="' + num(y) + '" font-size="' + size + '" fill="' + color + '" text-anchor="' + anchor + '"' +
      (turned ? ' transform="rotate(-90 ' + num(x) + ' ' + num(y) + ')"' : '') + '>' + text(s) + '</text>');
  }
  var corner = at([-far[0], -far[1], far[2]]);
  for (k = 0; k < 3; k++) axis(k);
  function axis(k) {
    var base = k == 0 ? [0, -far[1], far[2]] : k == 1 ? [-far[0], 0, far[2]] : [-far[0], far[1], 0];
    if (k == 2 && at([far[0], -far[1], 0])[0] < at(base)[0]) base = [far[0], -far[1], 0];
    var place = function (t) { var p = base.slice(); p[k] = t; return p };
    var p = at(place(-.5)), q = at(place(.5)), m = at(place(0)), dx = m[0] - o.X, dy = m[1] - o.Y;
    if (Math.hypot(q[0] - p[0], q[1] - p[1]) < 30) return;
    if (k < 2) {
      var ux = q[1] - p[1], uy = p[0] - q[0], sign = ux * dx + uy * dy < 0 ? -1 : 1;
      dx = sign * ux; dy = sign * uy;
    } else dy = 0;
    var l = Math.max(Math.hypot(dx, dy), 1e-9), anchor = 'middle', axis = o.Axes[k];
    dx /= l; dy /= l;
    if (dx < -.35) anchor = 'end'; else if (dx > .35) anchor = 'start';
    draw([place(-.5), place(.5)], 'stroke="#8c8c8c" stroke-width=".8"');
    axis.Ticks.forEach(function (t, i) {
      var r = at(place(t));
      if (k == 1 && Math.hypot(r[0] - corner[0], r[1] - corner[1]) < 14) return;
      out.push('<path d="M' + num(r[0]) + ' ' + num(r[1]) + 'l' + num(4 * dx) + ' ' + num(4 * dy) + '" stroke="#8c8c8c" stroke-width=".8"/>');
      label(r[0] + 8 * dx, r[1] + 9 * dy + 4, axis.Labels[i], 13, '#555555', anchor);
    });
    if (k == 2) return label(m[0] + (axis.Widest + 16) * dx, m[1], axis.Title, 14, '#262626', 'middle', true);
    var away = 20 + Math.abs(dx) * axis.Widest + 12 * Math.abs(dy);
    label(m[0] + away * dx, m[1] + away * dy + 6, axis.Title, 14, '#262626', anchor);
  }
  var si = sight[0] < 0 ? -1 : 1, sj = sight[1] < 0 ? -1 : 1, cells = {};
  var all = faces.map(function (f) { cells[f.i + ' ' + f.j] = f; return { f: f, a: si * f.i, b: sj * f.j, step: 1, depth: 0 } });
  function column(lines, v) { var n = 0; while (n < lines.length && lines[n] <= v) n++; return v == lines[lines.length - 1] ? n - 2 : n - 1 }
  function hides(f, p) { return meets(p, sight, f.c[0], f.c[1], f.c[2]) || meets(p, sight, f.c[0], f.c[2], f.c[3]) }
  (o.Dots || []).forEach(function (d) {
    var i = column(xs, d[0]), j = column(ys, d[1]), f = cells[i + ' ' + j];
    var e = { d: d, a: si * i, b: sj * j, step: f && hides(f, d) ? 0 : 2, depth: dot(d, sight) };
    if (faces.length && !faces.some(function (f) { return hides(f, d) })) e.a = e.b = 1e9;
    all.push(e);
  });
  all.sort(function (p, q) { return p.a - q.a || p.b - q.b || p.step - q.step || p.depth - q.depth });
  all.forEach(function (e) {
    if (e.f) return draw(e.f.c.concat([e.f.c[0]]), 'fill="' + e.f.color + '" stroke="#262626" stroke-opacity=".25" stroke-width=".5"');
    var q = at(e.d);
    out.push('<path transform="translate(' + num(q[0]) + ' ' + num(q[1]) + ')" d="' + e.d[5] + '" fill="' + o.Colors[e.d[4]] + '" fill-opacity=".9" stroke="#fff" stroke-width=".6"/>');
  });
  return out.join('');
}
function redraw() {
  if (!svg) {
    host.insertAdjacentHTML('beforeend', o.SVG);
    svg = host.lastElementChild;
    svg.insertBefore(document.createElementNS('http://www.w3.org/2000/svg', 'g'), svg.firstElementChild.nextSibling);
    img.style.display = 'none';
  }
  svg.children[1].innerHTML = scene();
}
function by(da, de) {
  az += da;
  el = Math.max(-89, Math.min(89, el + de));
  requestAnimationFrame(redraw);
}
host.style.cssText = 'display:inline-block;cursor:grab;touch-action:none;user-select:none';
host.tabIndex = 0;
host.setAttribute('role', 'img');
host.setAttribute('aria-label', img.alt);
img.draggable = false;
host.onpointerdown = function (e) { held = [e.clientX, e.clientY]; host.setPointerCapture(e.pointerId) };
host.onpointerup = host.onpointercancel = function () { held = null };
host.onpointermove = function (e) {
  if (!held) return;
  by(-(e.clientX - held[0]) / 2, (e.clientY - held[1]) / 2);
  held = [e.clientX, e.clientY];
};
host.onkeydown = function (e) {
  var d = { ArrowLeft: [5, 0], ArrowRight: [-5, 0], ArrowUp: [0, -5], ArrowDown: [0, 5] }[e.key];
  if (d) { by(d[0], d[1]); e.preventDefault() }
};
