// reveal.js turns the slides: https://revealjs.com.
const deck = new Reveal({
  width: 1280,
  height: 720,
  margin: 0,
  center: false,
  hash: true,
  navigationMode: "linear",
  slideNumber: "c/t",
  transition: matchMedia("(prefers-reduced-motion: reduce)").matches ? "none" : "slide",
  transitionSpeed: "fast",
  pdfSeparateFragments: false,
  plugins: [RevealNotes],
});

// A slide with little text gets larger text, and what does not fit gets smaller, in steps.
// Below narrowest, wide tables scroll.
const largest = 1.28, narrowest = 0.64, smallest = 0.4;
const fit = slide => {
  const room = slide.querySelector(":scope > .screen > .room"), content = room?.firstElementChild;
  if (!room || !room.clientHeight) return;
  const boxes = [content, ...content.querySelectorAll("pre, table, .output")];
  const fits = zoom => {
    content.style.zoom = zoom;
    content.style.setProperty("--screen", `${room.clientHeight / zoom}px`);
    const limit = room.clientHeight * (zoom > 1 ? 0.8 : 1) + 1;
    return content.offsetHeight * zoom <= limit && (zoom < narrowest || !boxes.some(e => e.scrollWidth > e.clientWidth + 1));
  };
  let zoom = content.querySelector("figure, img") ? 1 : largest;
  while (!fits(zoom) && zoom > smallest) zoom -= 0.04;
  room.classList.toggle("scrolls", zoom <= smallest);
  for (const e of content.querySelectorAll(".math.display")) {
    e.style.zoom = 1;
    if (e.scrollWidth > e.clientWidth) e.style.zoom = e.clientWidth / e.scrollWidth - 0.01;
  }
  // The controls of a moving figure are beside its picture.
  for (const box of content.querySelectorAll("figure > .output")) {
    const parts = [...box.children].filter(e => e.localName !== "img");
    for (const e of parts) e.style.zoom = 1;
    const height = parts.reduce((sum, e) => sum + e.offsetHeight, 0);
    if (height) for (const e of parts) e.style.zoom = Math.min(1.3, box.clientHeight / (height + 20));
  }
  slide.dataset.zoom = zoom.toFixed(2);
};
const all = () => document.querySelectorAll(".slides > section > section").forEach(fit);
deck.initialize().then(() => Promise.all([document.fonts.ready, ...[...document.images].map(i => { i.loading = "eager"; return i.decode().catch(() => {}); })])).then(() => {
  all();
  document.documentElement.dataset.ready = "";
});
deck.on("slidechanged", all);
deck.on("pdf-ready", all);
