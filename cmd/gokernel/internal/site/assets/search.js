// The search runs in the page, with MiniSearch, over an index that was made with the site.
const field = document.getElementById("q"), list = document.getElementById("results"), said = document.getElementById("said");
const words = text => text.toLowerCase().normalize("NFKD").replace(/[\u0300-\u036f]/g, "").split(/[^\p{L}\p{N}]+/u).filter(Boolean);
// A title is compared without the number of its section, and a name without its package.
const bare = title => title.replace(/^\d+\. |^ml\./, "");
// SVM stands for support vector machines.
const initials = title => {
  const all = words(bare(title));
  return all.length > 1 && all.length < 7 ? all.map(w => w[0]).join("") : "";
};
const singular = word => word.length > 2 ? word.replace(/s$/, "") : word;
const index = new MiniSearch({
  processTerm: singular,
  extractField: (d, f) => f === "n" ? bare(d.t) : f === "a" ? initials(d.t) : d[f],
  idField: "u", fields: ["n", "a", "i", "x"], storeFields: ["t", "i", "x", "u", "k"],
  tokenize: words,
  searchOptions: {
    prefix: term => term.length > 1, fuzzy: term => term.length > 4 ? 0.2 : false, combineWith: "AND", boost: {n: 5, i: 1.5},
    boostDocument: (id, term, d) => ({lecture: 1.6, section: 1.3, term: 1.5, homework: 1.2, api: 1.1, figure: 0.9, reference: 0.6})[d.k] || 1,
  },
});
const kinds = ["lecture", "section", "page", "homework", "term", "heading", "api", "figure", "reference"];
// How well a title answers a query: 0 for the same words, 1 if it has them in this order, 2 if it
// has all, 3 if it has words that begin with them, 4 otherwise.
const distance = (query, title) => {
  const asked = words(query).map(singular), has = words(bare(title)).map(singular);
  if (asked.join(" ") === has.join(" ") || asked.length === 1 && asked[0] === initials(title)) return 0;
  if ((" " + has.join(" ") + " ").includes(" " + asked.join(" ") + " ")) return 1;
  if (asked.every(a => has.includes(a))) return 2;
  return asked.every(a => has.some(h => h.startsWith(a))) ? 3 : 4;
};
// Titles come first, and of titles those of lectures and sections.
const find = query => index.search(query)
  .map((r, i) => ({r, i, far: distance(query, r.t), kind: kinds.indexOf(r.k)}))
  .sort((a, b) => a.far - b.far || (a.far < 4 ? a.kind - b.kind : 0) || a.i - b.i)
  .map(x => x.r);
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
  const found = find(query), most = 50;
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
