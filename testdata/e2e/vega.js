// Functions of the page on which test_vega.py compares drawings.
() => {
  const NEAR = 4; // pixels around ink in which the other drawing must have some

  const view = async (spec) => {
    const said = [];
    const keep = (...what) => { said.push(what.join(' ')); return logger; };
    const logger = { level: () => logger, error: keep, warn: keep, info: () => logger, debug: () => logger };
    const made = new vega.View(vega.parse(vegaLite.compile(spec, { logger }).spec), { renderer: 'none', logger });
    await made.runAsync();
    return { made, said };
  };

  // each calls visit for every mark of a scene, and gives the roles of the groups around it.
  const each = (item, visit, around = []) => {
    if (item.marktype && item.marktype !== 'group') {
      visit(item, around);
    }
    const inside = item.role ? [...around, item] : around;
    (item.items || []).forEach((i) => each(i, visit, inside));
  };

  // raster draws an SVG on white and returns its pixels.
  const raster = async (svg, width, height) => {
    const image = new Image();
    if (!/xmlns=/.test(svg)) {
      svg = svg.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"');
    }
    image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(svg);
    await image.decode();
    const canvas = new OffscreenCanvas(width, height);
    const c = canvas.getContext('2d', { willReadFrequently: true });
    c.fillStyle = 'white';
    c.fillRect(0, 0, width, height);
    c.drawImage(image, 0, 0);
    return { canvas, pixels: c.getImageData(0, 0, width, height).data };
  };

  const ink = (pixels) => {
    const mask = new Uint8Array(pixels.length / 4);
    for (let i = 0; i < mask.length; i++) {
      mask[i] = Math.min(pixels[4 * i], pixels[4 * i + 1], pixels[4 * i + 2]) < 255 - 24 ? 1 : 0;
    }
    return mask;
  };

  // near widens a mask by NEAR pixels in each direction.
  const near = (mask, width, height) => {
    const pass = (from, along, across, n, m) => {
      const to = new Uint8Array(from.length);
      for (let k = 0; k < m; k++) {
        let last = -Infinity;
        for (let i = 0; i < n; i++) {
          if (from[k * across + i * along]) last = i;
          if (i - last <= NEAR) to[k * across + i * along] = 1;
        }
        last = Infinity;
        for (let i = n - 1; i >= 0; i--) {
          if (from[k * across + i * along]) last = i;
          if (last - i <= NEAR) to[k * across + i * along] = 1;
        }
      }
      return to;
    };
    return pass(pass(mask, 1, width, width, height), width, 1, height, width);
  };

  // missing returns the part of the ink that has none near it in the other drawing.
  const missing = (mask, other) => {
    let all = 0, alone = 0;
    mask.forEach((m, i) => { all += m; alone += m && !other[i] ? 1 : 0; });
    return alone / Math.max(1, all);
  };

  // off returns the mean difference of the colors of blocks of 8 × 8 pixels.
  const off = (a, b, width, height) => {
    let sum = 0, n = 0;
    for (let y = 0; y + 8 <= height; y += 8) {
      for (let x = 0; x + 8 <= width; x += 8) {
        for (let c = 0; c < 3; c++) {
          let d = 0;
          for (let k = 0; k < 64; k++) {
            const i = 4 * ((y + (k >> 3)) * width + x + (k & 7)) + c;
            d += a[i] - b[i];
          }
          sum += Math.abs(d / 64);
          n++;
        }
      }
    }
    return sum / Math.max(1, n);
  };

  const url = async (canvas) => {
    const reader = new FileReader();
    const read = new Promise((done) => { reader.onload = done; });
    reader.readAsDataURL(await canvas.convertToBlob());
    await read;
    return reader.result;
  };

  // compared returns how the marks of a specification differ from a drawing.
  window.compared = async (spec, svg, picture) => {
    const { made, said } = await view(spec);
    const [width, height] = [Math.floor(spec.width), Math.floor(spec.height)];
    let drawn = 0;
    each(made.scenegraph().root, (mark) => {
      if (mark.role === 'mark') drawn += mark.items.filter((i) => i.opacity !== 0).length;
    });
    const here = await raster(svg, width, height);
    const there = await raster(await made.toSVG(), width, height);
    const [a, b] = [ink(here.pixels), ink(there.pixels)];
    const result = {
      said, drawn, ink: a.some((i) => i),
      lost: missing(a, near(b, width, height)), added: missing(b, near(a, width, height)),
      off: off(here.pixels, there.pixels, width, height),
    };
    if (picture) {
      const both = new OffscreenCanvas(2 * width + 10, height);
      const c = both.getContext('2d');
      c.fillStyle = 'gray';
      c.fillRect(0, 0, both.width, height);
      c.drawImage(here.canvas, 0, 0);
      c.drawImage(there.canvas, width + 10, 0);
      result.picture = await url(both);
    }
    made.finalize();
    return result;
  };

  // written returns the texts beside the marks of a specification, with a picture of it.
  window.written = async (spec, picture) => {
    const { made, said } = await view(spec);
    const out = { said, titles: [], subtitles: [], legend: [], legendTitles: [], axes: {}, panels: 0 };
    const panels = new Set();
    const text = (item) => [].concat(item.text ?? []).join(' ');
    each(made.scenegraph().root, (mark, around) => {
      const texts = mark.items.map(text).filter((t) => t);
      const axis = around.findLast((g) => g.role === 'axis');
      if (axis && mark.marktype === 'text' && texts.length) {
        const side = axis.items[0].orient;
        const at = out.axes[side] ||= { labels: [], titles: [] };
        if (mark.role === 'axis-title') at.titles.push(...texts);
        if (mark.role === 'axis-label') {
          const along = side === 'left' || side === 'right' ? (i) => -i.y : (i) => i.x;
          at.labels.push(...mark.items.filter((i) => i.opacity !== 0).sort((i, k) => along(i) - along(k)).map(text).filter((t) => t));
        }
      }
      if (mark.role === 'mark' && mark.items.some((i) => i.opacity !== 0)) {
        panels.add(around.find((g) => /^concat_\d+_group$/.test(g.name)));
      }
      if (mark.role === 'title-text') out.titles.push(...texts);
      if (mark.role === 'title-subtitle') out.subtitles.push(...texts);
      if (mark.role === 'legend-title') out.legendTitles.push(...texts);
      const legend = around.findLast((g) => g.role === 'legend');
      if (mark.role === 'legend-label' && legend) {
        // Legends of sizes and of continuous scales have numbers.
        const scales = legend.items[0].datum.scales || {};
        if (!('size' in scales) && legend.items[0].datum.type !== 'gradient') out.legend.push(...texts);
      }
    });
    out.legend = [...new Set(out.legend)];
    out.panels = panels.size;
    if (picture) {
      const svg = await made.toSVG();
      const [, width, height] = svg.match(/width="([\d.]+)" height="([\d.]+)"/);
      out.picture = await url((await raster(svg, Math.ceil(width), Math.ceil(height))).canvas);
    }
    made.finalize();
    return out;
  };
}
