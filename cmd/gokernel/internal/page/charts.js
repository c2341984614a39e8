// Interactive charts replace their pictures. Their colors are variables of the page, so that they
// follow the reader's theme. The pictures remain for print. The option ast interprets expressions,
// because the policy of the page forbids scripts made from text.
const draw = async () => {
  for (const output of document.querySelectorAll(".output.chart")) {
    const spec = JSON.parse(output.querySelector("script").textContent), live = document.createElement("div");
    live.className = "live";
    output.prepend(live);
    try {
      await vegaEmbed(live, spec, {actions: false, renderer: "svg", ast: true});
      output.classList.add("drawn");
      // Screen readers should skip the frame of the brush.
      for (const frame of live.querySelectorAll('[class*="brush"]')) frame.setAttribute("role", "presentation");
    } catch (e) {
      live.remove(); // the picture stays
      console.error(e);
    }
  }
  scrolling();
};
draw();
