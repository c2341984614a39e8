// The search runs in the page, with MiniSearch, over an index that was made with the site.
const field = document.getElementById("q"), list = document.getElementById("results"), said = document.getElementById("said");
const index = new MiniSearch({
  // Searching for a name finds it without its package.
  extractField: (d, f) => f === "n" ? d.t.replace(/^ml\./, "") : d[f],
  idField: "u", fields: ["n", "i", "x"], storeFields: ["t", "i", "x", "u", "k"],
  tokenize: text => text.toLowerCase().normalize("NFKD").replace(/[\u0300-\u036f]/g, "").split(/[^\p{L}\p{N}]+/u).filter(Boolean),
  searchOptions: {
    prefix: term => term.length > 1, fuzzy: term => term.length > 4 ? 0.2 : false, combineWith: "AND", boost: {n: 5, i: 1.5},
    boostDocument: (id, term, d) => ({lecture: 1.6, section: 1.3, term: 1.5, homework: 1.2, api: 1.1, figure: 0.9, reference: 0.6})[d.k] || 1,
  },
});
index.addAll(searchable);
const escape = s => s.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const text = (into, s, terms) => {
  const at = terms.length ? new RegExp("(" + terms.map(escape).join("|") + ")", "giu") : null;
  for (const [i, piece] of (at ? s.split(at) : [s]).entries()) {
    if (i % 2 === 0) { into.append(piece); continue; }
    const m = document.createElement("mark");
    m.textContent = piece;
    into.append(m);
  }
};
const excerpt = (s, terms) => {
  const low = s.toLowerCase(), at = Math.min(...terms.map(t => low.indexOf(t)).filter(i => i >= 0), s.length);
  if (s.length <= 220) return s;
  const from = at === s.length || at <= 80 ? 0 : s.lastIndexOf(" ", at - 80) + 1, space = s.lastIndexOf(" ", from + 220);
  const to = from + 220 >= s.length ? s.length : space > from ? space : from + 220;
  return (from ? "… " : "") + s.slice(from, to) + (to < s.length ? " …" : "");
};
const show = () => {
  const query = field.value.trim();
  list.replaceChildren();
  const address = new URL(location.href);
  address.search = query ? "?q=" + encodeURIComponent(query) : "";
  try { history.replaceState(null, "", address); } catch { /* not on every disk */ }
  if (!query) { said.textContent = "Type into the field above."; return; }
  const found = index.search(query), most = 50;
  said.textContent = found.length === 0 ? "Nothing found for “" + query + "”." :
    found.length + (found.length === 1 ? " place" : " places") + (found.length > most ? ", the best " + most : "") + " for “" + query + "”.";
  for (const r of found.slice(0, most)) {
    const item = document.createElement("li"), a = document.createElement("a"), where = document.createElement("span"), p = document.createElement("p");
    a.href = r.u;
    text(a, r.t, r.terms);
    where.className = "soft";
    where.textContent = r.i;
    text(p, excerpt(r.x, r.terms), r.terms);
    item.append(a, where, p);
    list.append(item);
  }
};
field.value = new URLSearchParams(location.search).get("q") || "";
field.oninput = show;
field.form.onsubmit = e => e.preventDefault();
if (field.value) show();
if (!field.value) field.focus();
