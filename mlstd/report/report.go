// Package report formats the summary of a fitted statistical model as text, HTML and LaTeX. A
// summary has facts about the fit, tables of coefficients, and notes. Packages regress, series and
// survival use it.
package report

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"
)

// ModelSummary is the summary of a fitted model. If a ModelSummary is the last value of a cell, the
// cell shows it as a table. For other uses, String, HTML and LaTeX return the summary as a string.
type ModelSummary struct {
	Title  string
	Facts  []SummaryFact // about the fit, in reading order
	Tables []SummaryTable
	More   []SummaryFact // diagnostics, below the tables
	Notes  []string
}

// SummaryFact is a name and its value, such as "R²" and "0.8268".
type SummaryFact struct{ Name, Value string }

// SummaryTable is a table in a [ModelSummary], usually a table of coefficients. The first column
// has names, and the other columns have numbers.
type SummaryTable struct {
	Caption string
	Head    []string
	Rows    [][]string
}

// Add appends a fact.
func (s *ModelSummary) Add(name, value string) { s.Facts = append(s.Facts, SummaryFact{name, value}) }

// AddMore appends a diagnostic.
func (s *ModelSummary) AddMore(name, value string) {
	s.More = append(s.More, SummaryFact{name, value})
}

// grid lays facts out in two columns, read downwards.
func grid(facts []SummaryFact) [][]string {
	half := (len(facts) + 1) / 2
	rows := make([][]string, half)
	for i := range rows {
		rows[i] = []string{facts[i].Name, facts[i].Value, "", ""}
		if half+i < len(facts) {
			rows[i][2], rows[i][3] = facts[half+i].Name, facts[half+i].Value
		}
	}
	return rows
}

func width(s string) int { return utf8.RuneCountInString(s) }

func pad(s string, w int, right bool) string {
	space := strings.Repeat(" ", max(0, w-width(s)))
	if right {
		return space + s
	}
	return s + space
}

// widths returns the width of each column.
func widths(rows ...[]string) []int {
	var w []int
	for _, r := range rows {
		for k, c := range r {
			if k == len(w) {
				w = append(w, 0)
			}
			w[k] = max(w[k], width(c))
		}
	}
	return w
}

func total(w []int, gap int) int {
	sum := gap * max(0, len(w)-1)
	for _, v := range w {
		sum += v
	}
	return sum
}

// String returns the summary as text for a monospaced font.
func (s *ModelSummary) String() string {
	const gap = 2
	all := width(s.Title)
	for _, facts := range [][]SummaryFact{s.Facts, s.More} {
		if len(facts) > 0 {
			all = max(all, total(widths(grid(facts)...), gap)+2*gap)
		}
	}
	for _, t := range s.Tables {
		all = max(all, total(widths(append([][]string{t.Head}, t.Rows...)...), gap))
	}
	var b strings.Builder
	line := func(sign string) { b.WriteString(strings.Repeat(sign, all) + "\n") }
	b.WriteString(s.Title + "\n")
	line("═")
	s.textFacts(&b, s.Facts, all)
	for k, t := range s.Tables {
		if k > 0 || len(s.Facts) > 0 {
			line("─")
		}
		if t.Caption != "" {
			b.WriteString(t.Caption + "\n")
		}
		w := widths(append([][]string{t.Head}, t.Rows...)...)
		if len(w) > 1 {
			w[0] += max(0, all-total(w, gap))
		}
		for i, r := range append([][]string{t.Head}, t.Rows...) {
			cells := make([]string, len(r))
			for k, c := range r {
				cells[k] = pad(c, w[k], k > 0)
			}
			b.WriteString(strings.TrimRight(strings.Join(cells, strings.Repeat(" ", gap)), " ") + "\n")
			if i == 0 {
				line("─")
			}
		}
	}
	if len(s.More) > 0 {
		line("─")
		s.textFacts(&b, s.More, all)
	}
	line("═")
	for _, n := range s.Notes {
		b.WriteString(n + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (s *ModelSummary) textFacts(b *strings.Builder, facts []SummaryFact, all int) {
	rows := grid(facts)
	if len(rows) == 0 {
		return
	}
	w := widths(rows...)
	left := all/2 - 1
	for _, r := range rows {
		a := pad(r[0], w[0], false) + "  "
		a += pad(r[1], max(width(r[1]), left-width(a)), true)
		line := a
		if r[2] != "" {
			c := pad(r[2], w[2], false) + "  "
			room := all - width(line) - 2 - width(c)
			line += "  " + c + pad(r[3], max(width(r[3]), room), true)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// HTML returns the summary as HTML tables.
func (s *ModelSummary) HTML() string {
	var b strings.Builder
	cell := func(tag, text string, right bool) {
		align := "left"
		if right {
			align = "right"
		}
		fmt.Fprintf(&b, `<%s style="text-align:%s">%s</%s>`, tag, align, html.EscapeString(text), tag)
	}
	facts := func(f []SummaryFact) {
		if len(f) == 0 {
			return
		}
		b.WriteString("<table>\n")
		for _, r := range grid(f) {
			b.WriteString("<tr>")
			for k := 0; k < 4; k += 2 {
				cell("th", r[k], false)
				cell("td", r[k+1], true)
			}
			b.WriteString("</tr>\n")
		}
		b.WriteString("</table>\n")
	}
	fmt.Fprintf(&b, "<div class=\"model-summary\">\n<p><strong>%s</strong></p>\n", html.EscapeString(s.Title))
	facts(s.Facts)
	for _, t := range s.Tables {
		b.WriteString("<table>\n")
		if t.Caption != "" {
			fmt.Fprintf(&b, "<caption>%s</caption>\n", html.EscapeString(t.Caption))
		}
		b.WriteString("<thead><tr>")
		for k, h := range t.Head {
			cell("th", h, k > 0)
		}
		b.WriteString("</tr></thead>\n<tbody>\n")
		for _, r := range t.Rows {
			b.WriteString("<tr>")
			for k, c := range r {
				tag := "td"
				if k == 0 {
					tag = "th"
				}
				cell(tag, c, k > 0)
			}
			b.WriteString("</tr>\n")
		}
		b.WriteString("</tbody></table>\n")
	}
	facts(s.More)
	for _, n := range s.Notes {
		fmt.Fprintf(&b, "<p>%s</p>\n", html.EscapeString(n))
	}
	b.WriteString("</div>")
	return b.String()
}

var tex = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "#", `\#`, "%", `\%`, "_", `\_`,
	"^", `\textasciicircum{}`, "~", `\textasciitilde{}`, "<", `\textless{}`, ">", `\textgreater{}`, "|", `\textbar{}`,
	"²", `\textsuperscript{2}`, "³", `\textsuperscript{3}`, "χ", `$\chi$`, "σ", `$\sigma$`, "α", `$\alpha$`, "β", `$\beta$`, "ρ", `$\rho$`, "θ", `$\theta$`,
	"φ", `$\phi$`, "η", `$\eta$`, "λ", `$\lambda$`, "−", "$-$", "–", "--", "∞", `$\infty$`, "≥", `$\ge$`, "≤", `$\le$`, "×", `$\times$`, "·", `$\cdot$`)

// LaTeX returns the summary for a LaTeX document that uses the package booktabs.
func (s *ModelSummary) LaTeX() string {
	var b strings.Builder
	row := func(cells []string) {
		out := make([]string, len(cells))
		for k, c := range cells {
			out[k] = tex.Replace(c)
		}
		b.WriteString(strings.Join(out, " & ") + ` \\` + "\n")
	}
	facts := func(f []SummaryFact) {
		if len(f) == 0 {
			return
		}
		b.WriteString("\\begin{tabular}{lrlr}\n\\toprule\n")
		for _, r := range grid(f) {
			row(r)
		}
		b.WriteString("\\bottomrule\n\\end{tabular}\n\n")
	}
	fmt.Fprintf(&b, "\\begin{center}\n\\textbf{%s}\n\n", tex.Replace(s.Title))
	facts(s.Facts)
	for _, t := range s.Tables {
		if t.Caption != "" {
			b.WriteString(tex.Replace(t.Caption) + "\n\n")
		}
		b.WriteString("\\begin{tabular}{l" + strings.Repeat("r", max(0, len(t.Head)-1)) + "}\n\\toprule\n")
		row(t.Head)
		b.WriteString("\\midrule\n")
		for _, r := range t.Rows {
			row(r)
		}
		b.WriteString("\\bottomrule\n\\end{tabular}\n\n")
	}
	facts(s.More)
	for _, n := range s.Notes {
		b.WriteString(tex.Replace(n) + "\n\n")
	}
	b.WriteString("\\end{center}")
	return b.String()
}
