// Interactive charts take the place of their pictures, in the colors of the page, which
// follow the reader's theme. The pictures stay for print.
const dark = matchMedia("(prefers-color-scheme: dark)");
const draw = async () => {
  const page = getComputedStyle(document.documentElement), color = name => page.getPropertyValue(name).trim();
  const fg = color("--fg"), soft = color("--soft"), line = color("--line");
  const config = {
    background: "transparent",
    title: {color: fg, subtitleColor: soft},
    axis: {labelColor: soft, titleColor: fg, gridColor: line, domainColor: soft, tickColor: soft},
    legend: {labelColor: fg, titleColor: fg},
    text: {color: fg},
  };
  for (const output of document.querySelectorAll(".output.chart")) {
    const spec = JSON.parse(output.querySelector("script").textContent);
    let live = output.querySelector(".live");
    if (!live) {
      live = document.createElement("div");
      live.className = "live";
      output.prepend(live);
    }
    try {
      await vegaEmbed(live, spec, {actions: false, renderer: "svg", config});
      output.classList.add("drawn");
      // The frame of the brush is nothing to read.
      for (const frame of live.querySelectorAll('[class*="brush"]')) frame.setAttribute("role", "presentation");
    } catch (e) {
      live.remove(); // the picture stays
      console.error(e);
    }
  }
  scrolling();
};
dark.addEventListener("change", draw);
draw();
