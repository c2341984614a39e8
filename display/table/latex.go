package table

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// longTable is the number of rows that fit on a page; longer tables are split across pages.
const longTable = 40

// tex replaces characters that are special in TeX or missing in its fonts.
var tex = strings.NewReplacer(texPairs()...)

func texPairs() []string {
	pairs := []string{`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "#", `\#`, "%", `\%`,
		"_", `\_`, "^", `\textasciicircum{}`, "~", `\textasciitilde{}`, "<", `\textless{}`, ">", `\textgreater{}`,
		"–", `--`, "—", `---`, "…", `\ldots{}`, "\u00a0", "~", "\u2007", `\phantom{0}`}
	for _, m := range strings.Fields(`− - × \times ± \pm · \cdot ≤ \le ≥ \ge ≠ \ne ≈ \approx ∞ \infty √ \surd ∑ \sum ∏ \prod ∂ \partial ∇ \nabla ` +
		`∈ \in ∉ \notin ∅ \emptyset ∪ \cup ∩ \cap ⊂ \subset ⊆ \subseteq ∧ \wedge ∨ \vee ¬ \neg ∀ \forall ∃ \exists ` +
		`← \leftarrow → \rightarrow ↑ \uparrow ↓ \downarrow ↔ \leftrightarrow ⇒ \Rightarrow ▲ \uparrow ▼ \downarrow ℓ \ell ‖ \| ⟨ \langle ⟩ \rangle ` +
		`¹ {}^1 ² {}^2 ³ {}^3 ⁰ {}^0 ⁴ {}^4 ⁵ {}^5 ⁶ {}^6 ⁷ {}^7 ⁸ {}^8 ⁹ {}^9 ⁻ {}^- ₀ {}_0 ₁ {}_1 ₂ {}_2 ₃ {}_3 ₄ {}_4 ₅ {}_5 ₆ {}_6 ₇ {}_7 ₈ {}_8 ₉ {}_9 ` +
		`α \alpha β \beta γ \gamma δ \delta ε \varepsilon ζ \zeta η \eta θ \theta ι \iota κ \kappa λ \lambda μ \mu ν \nu ξ \xi π \pi ρ \rho ` +
		`σ \sigma τ \tau υ \upsilon φ \varphi χ \chi ψ \psi ω \omega Γ \Gamma Δ \Delta Θ \Theta Λ \Lambda Ξ \Xi Π \Pi Σ \Sigma Φ \Phi Ψ \Psi Ω \Omega`) {
		if len(pairs)%2 == 0 {
			pairs = append(pairs, m)
		} else {
			pairs = append(pairs, "$"+m+"$")
		}
	}
	return pairs
}

// latex writes the table for a document that uses the packages adjustbox, booktabs, longtable and
// xcolor, as nbconvert's documents do. A table that is wider than the page is scaled down.
func (s *shown) latex() string {
	if !s.whole {
		s = s.narrow(texWidth)
	}
	var spec strings.Builder
	for _, h := range s.heads {
		if h.right {
			spec.WriteByte('r')
		} else {
			spec.WriteByte('l')
		}
	}
	var b strings.Builder
	line := func(cells []string) { b.WriteString(strings.Join(cells, " & ") + ` \\` + "\n") }
	begin, end := `\begin{adjustbox}{max width=\linewidth}`+"\n"+`\begin{tabular}{`+spec.String()+"}\n", "\\end{tabular}\n\\end{adjustbox}\n"
	long := len(s.rows) > longTable
	if long {
		begin, end = `\begin{longtable}{`+spec.String()+"}\n", "\\end{longtable}\n"
	}
	b.WriteString(`\begin{center}` + "\n")
	if s.caption != "" {
		after := `\\*[4pt]` // no page break here
		if long {
			after = "\n"
		}
		b.WriteString(tex.Replace(s.caption) + after + "\n")
	}
	b.WriteString(begin + "\\toprule\n")
	cells := make([]string, len(s.heads))
	for k, h := range s.heads {
		cells[k] = ""
		if h.name != "" {
			cells[k] = `\textbf{` + tex.Replace(h.name) + "}"
		}
		if h.unit != "" {
			cells[k] += " (" + tex.Replace(h.unit) + ")"
		}
		if h.sorted != 0 {
			cells[k] += " " + tex.Replace(h.arrow())
		}
	}
	line(cells)
	if s.kinds() {
		for k, h := range s.heads {
			cells[k] = `{\small ` + tex.Replace(h.kind) + "}"
		}
		line(cells)
	}
	b.WriteString("\\midrule\n")
	if long {
		b.WriteString("\\endhead\n")
	}
	for _, row := range s.rows {
		for k, e := range row {
			switch {
			case e.blocks:
				cells[k] = texBlocks(e)
			case e.marked || e.name:
				cells[k] = `\textbf{` + tex.Replace(e.text) + "}"
			default:
				cells[k] = tex.Replace(e.text)
			}
			if e.shade != 0 {
				cells[k] = texShade(e.shade, cells[k])
			}
		}
		line(cells)
	}
	b.WriteString("\\bottomrule\n" + end)
	if note := s.note(); note != "" {
		b.WriteString("\n\\smallskip\n" + tex.Replace(note) + "\n")
	}
	b.WriteString(`\end{center}`)
	return b.String()
}

// texWidth is the maximum number of characters per row that can still be read when the table is
// scaled down to the page.
const texWidth = 120

// narrow omits the last columns of a table whose rows are too long.
func (s *shown) narrow(most int) *shown {
	total := 0
	for k, h := range s.heads {
		w := utf8.RuneCountInString(h.name + h.unit)
		for _, row := range s.rows {
			w = max(w, utf8.RuneCountInString(row[k].text))
		}
		if total += w + 2; total <= most || k < 2 {
			continue
		}
		out := *s
		out.heads = s.heads[:k]
		for _, h := range s.heads[k:] {
			if h.name != "" { // a bar belongs to the column before it
				out.moreCols++
			}
		}
		out.rows = make([][]entry, len(s.rows))
		for i, row := range s.rows {
			out.rows[i] = row[:k]
		}
		return &out
	}
	return s
}

// texBlocks draws a bar or a small histogram with rules, because TeX's fonts have no block
// characters.
func texBlocks(e entry) string {
	var b strings.Builder
	switch {
	case e.share > 0:
		fmt.Fprintf(&b, `\rule{%.1fpt}{6pt}`, 45*e.share)
	default:
		for _, r := range e.text {
			if height := r - '▁' + 1; height >= 1 && height <= 8 {
				fmt.Fprintf(&b, `\rule{4pt}{%dpt}`, height)
			} else {
				b.WriteString(`\hspace{4pt}`)
			}
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return `{\color[HTML]{4477AA}` + b.String() + "}"
}

// texShade puts a text on a colored background: the color of the shade over white.
func texShade(shade float64, text string) string {
	c := shadeBlue
	if shade < 0 {
		c = shadeOrange
	}
	hex := ""
	for _, x := range c {
		hex += fmt.Sprintf("%02X", int(math.Round(255+(x-255)*strongestShade*math.Abs(shade))))
	}
	return `{\setlength{\fboxsep}{1pt}\colorbox[HTML]{` + hex + `}{` + text + `}}`
}
