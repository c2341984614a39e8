// The reader's color theme is set before the page is drawn.
{
  const set = () => {
    let theme = null;
    try { theme = localStorage.getItem("theme"); } catch { /* no storage: the system decides */ }
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
  };
  set();
  addEventListener("storage", set); // another page has changed it
  addEventListener("pageshow", set); // the reader has come back
}
