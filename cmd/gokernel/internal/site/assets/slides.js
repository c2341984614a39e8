// Keys change the slide.
const slides = [...document.querySelectorAll(".slide")];
const at = () => slides.findIndex(s => s.getBoundingClientRect().bottom > innerHeight / 2);
const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
const go = i => {
  const s = slides[Math.max(0, Math.min(slides.length - 1, i))];
  s.scrollIntoView({behavior: still ? "auto" : "smooth"});
  s.focus({preventScroll: true});
};
addEventListener("keydown", e => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.target.closest("input, a, button, summary") && e.key === "Enter") return;
  if (e.target.matches("input, select")) return;
  const step = {ArrowRight: 1, PageDown: 1, ArrowDown: 1, " ": 1, ArrowLeft: -1, PageUp: -1, ArrowUp: -1}[e.key];
  const s = slides[at()];
  // A key first scrolls to the end of a slide that is longer than the screen.
  if (step > 0 && below(s) > 1 || step < 0 && s && s.scrollTop > 1) s.scrollBy({top: step * s.clientHeight * 0.8, behavior: still ? "auto" : "smooth"});
  else if (step) go(at() + step);
  else if (e.key === "Home") go(0);
  else if (e.key === "End") go(slides.length - 1);
  else if (e.key === "f" || e.key === "F") document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
  else return;
  e.preventDefault();
});

// A slide that does not fit gets smaller text, and indicates that there is more below.
const below = s => s ? s.scrollHeight - s.clientHeight - s.scrollTop : 0;
const fit = () => {
  for (const s of slides) {
    s.classList.remove("full");
    s.classList.toggle("full", below(s) + s.scrollTop > 1);
    s.classList.toggle("more", below(s) > 1);
  }
};
for (const s of slides) s.addEventListener("scroll", () => s.classList.toggle("more", below(s) > 1), {passive: true});
addEventListener("load", fit);
addEventListener("resize", fit);

// The keyboard can reach the elements that scroll.
const rooms = () => {
  for (const e of document.querySelectorAll(".math.display, .output, pre, table")) {
    const scrolls = e.scrollWidth > e.clientWidth + 1;
    if (scrolls) e.tabIndex = 0;
    else e.removeAttribute("tabindex");
    if (e.localName === "table") continue;
    if (scrolls) {
      e.setAttribute("role", "group");
      e.setAttribute("aria-label", e.matches(".math") ? "Formula that scrolls" : "Output that scrolls");
    } else if (e.getAttribute("role") === "group") {
      e.removeAttribute("role");
      e.removeAttribute("aria-label");
    }
  }
};
addEventListener("load", rooms);
addEventListener("resize", rooms);
