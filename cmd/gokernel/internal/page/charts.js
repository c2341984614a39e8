// Interactive charts take the place of their pictures; their colors are variables of the
// page, which follow the reader's theme. The pictures stay for print. With ast, expressions
// are interpreted: the policy of the page lets no text become a script.
const draw = async () => {
  for (const output of document.querySelectorAll(".output.chart")) {
    const spec = JSON.parse(output.querySelector("script").textContent), live = document.createElement("div");
    live.className = "live";
    output.prepend(live);
    try {
      await vegaEmbed(live, spec, {actions: false, renderer: "svg", ast: true});
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
draw();
