"use strict";

// Answers send the keys that are pressed in them to the page around them, which scrolls them.
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input, textarea, select")) return;
  if (/^[jkc1-9]$/.test(event.key)) parent.postMessage(event.key, "*");
});
addEventListener("message", (event) => {
  if (event.source === parent) scrollBy(0, event.data * innerHeight);
});
