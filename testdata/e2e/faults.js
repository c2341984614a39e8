// What is wrong with the outputs on a page: broken pictures, text that can hardly
// be read on its ground, and outputs that leave the page.
() => {
	const found = [];
	const outputs = [...document.querySelectorAll('.jp-OutputArea-output, div.output_subarea')];
	if (outputs.length < 50) found.push(`there are only ${outputs.length} outputs`);
	const excerpt = e => (e.textContent || e.outerHTML).trim().replace(/\s+/g, ' ').slice(0, 60);

	for (const o of outputs)
		if (o.matches('[data-mime-type$="stderr"], [data-mime-type$="error"], .output_error, .output_stderr'))
			found.push(`an error: ${excerpt(o)}`);
	for (const o of outputs) {
		for (const i of o.querySelectorAll('img'))
			if (!i.complete || i.naturalWidth < 10) found.push(`a broken picture: ${i.outerHTML.slice(0, 80)}`);
		if (!o.textContent.trim() && !o.querySelector('img, svg, canvas, audio, iframe')) found.push('an output shows nothing');
	}

	// Colors as red, green, blue and opacity.
	const parse = s => {
		const m = s.match(/^rgba?\(([^)]*)\)$/);
		if (!m) return null;
		const v = m[1].split(/[,\s/]+/).filter(x => x).map(Number);
		return v.length === 3 ? [...v, 1] : v;
	};
	const over = (top, ground) => [0, 1, 2].map(i => top[i] * top[3] + ground[i] * (1 - top[3])).concat(1);
	const luminance = c => {
		const [r, g, b] = c.slice(0, 3).map(x => (x /= 255, x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const contrast = (a, b) => {
		const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
		return (x + 0.05) / (y + 0.05);
	};
	const ground = element => {
		const layers = [];
		for (let e = element; e; e = e.parentElement) {
			const c = parse(getComputedStyle(e).backgroundColor);
			if (c && c[3] > 0) layers.push(c);
			if (c && c[3] === 1) break;
		}
		return layers.reverse().reduce((g, c) => over(c, g), [255, 255, 255, 1]);
	};
	for (const o of outputs) {
		// The colors of the tree of JSON are JupyterLab's.
		if (o.matches('.jp-RenderedJSON')) continue;
		const walk = document.createTreeWalker(o, NodeFilter.SHOW_TEXT);
		for (let t = walk.nextNode(); t; t = walk.nextNode()) {
			const e = t.parentElement;
			if (!t.data.trim() || !e.getClientRects().length || e.closest('button, mjx-assistive-mml, script, style, .vega-actions')) continue;
			const style = getComputedStyle(e), drawn = e instanceof SVGElement;
			const ink = parse(drawn ? style.fill : style.color), paper = ground(e);
			if (ink && drawn) ink[3] *= style.opacity * style.fillOpacity;
			if (!ink) { found.push(`a color that is not understood: ${getComputedStyle(e).color}`); continue; }
			// Bars and small histograms are drawn with characters; 3 is enough for shapes.
			const blocks = /^[\u2581-\u258f\u2007\s]+$/.test(t.data);
			const ratio = ink[3] === 0 ? contrast(paper, ground(e.parentElement)) : contrast(over(ink, paper), paper);
			// JupyterLab's own secondary text has 4.496 on its own stripes.
			if (ratio < (blocks ? 3 : 4.49)) found.push(`contrast ${ratio.toFixed(3)}: ${excerpt(e)}`);
		}
	}

	// Nothing makes the page wider; what is wider than its place scrolls there.
	const page = document.scrollingElement;
	if (page.scrollWidth > window.innerWidth + 1) found.push(`the page is ${page.scrollWidth} wide`);
	for (const n of document.querySelectorAll('.jp-Notebook'))
		if (n.scrollWidth > n.clientWidth + 1) found.push(`the notebook is ${n.scrollWidth} wide, of ${n.clientWidth}`);
	const scroll = outputs.filter(o => o.scrollWidth > o.clientWidth + 1);
	for (const o of scroll)
		if (!excerpt(o).startsWith('More than fits')) found.push(`an output is ${o.scrollWidth} wide, of ${o.clientWidth}: ${excerpt(o)}`);
	return found;
}
