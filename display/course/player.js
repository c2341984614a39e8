const g = this, d = g.dataset, make = t => document.createElement(t), still = matchMedia('(prefers-reduced-motion: reduce)').matches,
  words = JSON.parse(d.captions), alts = JSON.parse(d.alts), frames = d.frames.split(' '), last = frames.length - 1,
  box = make('div'), picture = new Image(), bar = make('div'), button = make('button'), slider = make('input'), said = make('output');
let timer = 0;
box.setAttribute('role', 'group');
box.setAttribute('aria-label', 'Animation' + (d.name ? ' over ' + d.name : ''));
picture.width = d.width;
picture.style.maxWidth = '100%';
picture.style.height = 'auto';
bar.style.cssText = 'display:flex;align-items:center;gap:8px;max-width:100%;width:' + d.width + 'px';
said.style.fontVariantNumeric = 'tabular-nums';
button.type = 'button';
button.style.cssText = 'min-width:32px;min-height:24px';
slider.type = 'range';
slider.min = 0;
slider.max = last;
slider.value = 0;
slider.style.cssText = 'flex:1;min-width:0;min-height:24px';
slider.setAttribute('aria-label', d.name || 'frame');
const show = () => {
  const i = +slider.value;
  picture.src = 'data:image/png;base64,' + frames[i];
  picture.alt = alts[i];
  said.textContent = words[i];
  slider.setAttribute('aria-valuetext', words[i]);
};
const label = (sign, text) => { button.textContent = sign; button.setAttribute('aria-label', text); };
const stop = () => { clearInterval(timer); timer = 0; label(still ? '\u25b8|' : '\u25b6', still ? 'Next frame' : 'Play'); };
const next = () => {
  if (!slider.isConnected) return stop();
  slider.value = (+slider.value + 1) % (last + 1);
  show();
};
slider.oninput = () => { if (timer) stop(); show(); };
button.onclick = () => {
  if (still) return next();
  if (timer) return stop();
  label('\u275a\u275a', 'Pause');
  timer = setInterval(next, +d.pause);
};
stop();
show();
bar.append(button, slider, said);
box.append(picture, bar);
g.replaceWith(box);
