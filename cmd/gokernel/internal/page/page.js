// The keyboard can reach the elements that scroll, and no others.
const scrolling = () => {
  for (const e of document.querySelectorAll(".input pre, .output, .output pre, .text pre, .text table, .math.display")) {
    const scrolls = e.scrollWidth > e.clientWidth + 1;
    if (scrolls === e.hasAttribute("tabindex")) continue;
    if (!scrolls) { e.removeAttribute("tabindex"); continue; }
    e.tabIndex = 0;
    if (e.localName === "table" || e.hasAttribute("role")) continue;
    e.setAttribute("role", "group");
    e.setAttribute("aria-label", e.matches(".math") ? "Formula that scrolls" : e.closest(".input, .text") ? "Code that scrolls" : "Output that scrolls");
  }
};

// A tap, a click or its button enlarges a figure.
const enlarge = img => {
  const dialog = document.createElement("dialog"), close = document.createElement("button"), room = document.createElement("div");
  dialog.setAttribute("aria-label", "Enlarged figure");
  close.type = "button";
  close.textContent = "Close";
  close.onclick = () => dialog.close();
  const large = img.cloneNode();
  large.removeAttribute("style");
  const width = Number(img.getAttribute("width")) || img.naturalWidth;
  large.style.width = Math.max(1.6 * width, 0.92 * innerWidth) + "px";
  room.tabIndex = 0;
  room.setAttribute("role", "group");
  room.setAttribute("aria-label", "Figure that scrolls");
  room.append(large);
  dialog.append(close, room);
  dialog.onclick = e => { if (e.target === dialog) dialog.close(); };
  dialog.onclose = () => dialog.remove();
  document.body.append(dialog);
  dialog.showModal();
};
const buttons = root => {
  for (const img of root.querySelectorAll(".output.figure > img")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "enlarge";
    button.textContent = "Enlarge";
    button.onclick = img.onclick = () => enlarge(img);
    img.after(button);
  }
};
buttons(document);
// Another frame has replaced a figure.
addEventListener("frame", e => { buttons(e.target); scrolling(); });

addEventListener("load", scrolling);
addEventListener("resize", scrolling);
