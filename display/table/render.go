package table

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"
)

// Colors come from the page, so that the table suits a dark one too.
const (
	borderColor = "var(--jp-border-color1,var(--vscode-panel-border,#999))"
	softColor   = "var(--jp-content-font-color2,var(--vscode-descriptionForeground,#666))"
	// Half transparent: it shows on light and on dark paper.
	markColor  = "rgba(68,119,170,0.25)"
	blockColor = "rgba(68,119,170,0.85)"
)

// note tells what the table leaves out.
func (s *shown) note() string {
	var parts []string
	if s.moreRows > 0 {
		parts = append(parts, plural(s.moreRows, "more row"))
	}
	if s.moreCols > 0 {
		parts = append(parts, plural(s.moreCols, "more column"))
	}
	more := strings.Join(parts, ", ")
	switch {
	case s.foot != "" && more != "":
		return more + " · " + s.foot
	case more == "":
		return s.foot
	}
	return fmt.Sprintf("%s (%d × %d)", more, s.total[0], s.total[1])
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// kinds tells whether a column names its type.
func (s *shown) kinds() bool {
	for _, h := range s.heads {
		if h.kind != "" {
			return true
		}
	}
	return false
}

func (h head) arrow() string { return [...]string{"▼", "", "▲"}[h.sorted+1] }

func (s *shown) html() string {
	var b strings.Builder
	b.WriteString(`<table style="border-collapse:collapse;font-variant-numeric:tabular-nums">` + "\n")
	if s.caption != "" {
		b.WriteString(`<caption style="caption-side:top;text-align:left;padding:0 0 4px 0;color:` + softColor + `">` + html.EscapeString(s.caption) + "</caption>\n")
	}
	align := func(right bool) string {
		if right {
			return "text-align:right"
		}
		return "text-align:left"
	}
	b.WriteString("<thead><tr>")
	for _, h := range s.heads {
		fmt.Fprintf(&b, `<th scope="col" style="%s;border-bottom:1px solid %s">%s`, align(h.right), borderColor, html.EscapeString(h.name))
		if h.unit != "" {
			fmt.Fprintf(&b, ` <span style="font-weight:normal;color:%s">(%s)</span>`, softColor, html.EscapeString(h.unit))
		}
		if h.sorted != 0 {
			fmt.Fprintf(&b, ` <span style="font-weight:normal;color:%s">%s</span>`, softColor, h.arrow())
		}
		b.WriteString("</th>")
	}
	b.WriteString("</tr>")
	if s.kinds() {
		b.WriteString("\n<tr>")
		for _, h := range s.heads {
			fmt.Fprintf(&b, `<td style="%s;font-size:85%%;color:%s">%s</td>`, align(h.right), softColor, html.EscapeString(h.kind))
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</thead>\n<tbody>\n")
	for _, row := range s.rows {
		b.WriteString("<tr>")
		for _, e := range row {
			text := html.EscapeString(e.text)
			switch {
			case e.name:
				fmt.Fprintf(&b, `<th scope="row" style="text-align:left">%s</th>`, text)
			case e.blocks:
				fmt.Fprintf(&b, `<td style="text-align:left;white-space:pre;color:%s">%s</td>`, blockColor, text)
			case e.missing:
				fmt.Fprintf(&b, `<td style="%s;color:%s">%s</td>`, align(e.right), softColor, text)
			case e.marked:
				fmt.Fprintf(&b, `<td style="%s;background:%s"><strong>%s</strong></td>`, align(e.right), markColor, text)
			default:
				fmt.Fprintf(&b, `<td style="%s">%s</td>`, align(e.right), text)
			}
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody>\n")
	if note := s.note(); note != "" {
		fmt.Fprintf(&b, `<tfoot><tr><td colspan="%d" style="text-align:left;color:%s">%s</td></tr></tfoot>`+"\n", max(1, len(s.heads)), softColor, note)
	}
	b.WriteString("</table>")
	return b.String()
}

// most is how wide a column of text gets.
const most = 50

func (s *shown) text() string {
	fit := func(x string) string {
		if utf8.RuneCountInString(x) > most {
			return string([]rune(x)[:most-1]) + "…"
		}
		return x
	}
	widths := make([]int, len(s.heads))
	titles := make([]string, len(s.heads))
	for k, h := range s.heads {
		titles[k] = h.name
		if h.unit != "" {
			titles[k] += " (" + h.unit + ")"
		}
		if h.sorted != 0 {
			titles[k] += " " + h.arrow()
		}
		titles[k] = fit(titles[k])
		widths[k] = max(utf8.RuneCountInString(titles[k]), utf8.RuneCountInString(fit(h.kind)))
	}
	for _, row := range s.rows {
		for k, e := range row {
			w := utf8.RuneCountInString(fit(e.text))
			if e.marked {
				w += 2
			}
			widths[k] = max(widths[k], w)
		}
	}
	var b strings.Builder
	line := func(cells []string, right func(k int) bool) {
		var row strings.Builder
		for k, c := range cells {
			if k > 0 {
				row.WriteString("  ")
			}
			pad := strings.Repeat(" ", widths[k]-utf8.RuneCountInString(c))
			if right(k) {
				row.WriteString(pad + c)
			} else {
				row.WriteString(c + pad)
			}
		}
		b.WriteString(strings.TrimRight(row.String(), " ") + "\n")
	}
	if s.caption != "" {
		b.WriteString(s.caption + "\n")
	}
	line(titles, func(k int) bool { return s.heads[k].right })
	if s.kinds() {
		kinds := make([]string, len(s.heads))
		for k, h := range s.heads {
			kinds[k] = fit(h.kind)
		}
		line(kinds, func(k int) bool { return s.heads[k].right })
	}
	total := 0
	for k, w := range widths {
		total += w
		if k > 0 {
			total += 2
		}
	}
	b.WriteString(strings.Repeat("─", total) + "\n")
	for _, row := range s.rows {
		cells := make([]string, len(row))
		for k, e := range row {
			cells[k] = fit(e.text)
			if e.marked {
				cells[k] = "*" + cells[k] + "*"
			}
		}
		line(cells, func(k int) bool { return row[k].right })
	}
	if note := s.note(); note != "" {
		b.WriteString(note + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

var texEscaper = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "#", `\#`, "%", `\%`,
	"_", `\_`, "^", `\textasciicircum{}`, "~", `\textasciitilde{}`, "<", `\textless{}`, ">", `\textgreater{}`,
	"−", `$-$`, "–", `--`, "…", `\ldots{}`, "×", `$\times$`, "▲", `$\uparrow$`, "▼", `$\downarrow$`)

func (s *shown) latex() string {
	var b strings.Builder
	var spec strings.Builder
	var skip []bool
	for _, h := range s.heads {
		// Small histograms are characters that no TeX font has.
		skip = append(skip, h.blocks)
		switch {
		case skip[len(skip)-1]:
		case h.right:
			spec.WriteByte('r')
		default:
			spec.WriteByte('l')
		}
	}
	line := func(cells []string) {
		var kept []string
		for k, c := range cells {
			if !skip[k] {
				kept = append(kept, c)
			}
		}
		b.WriteString(strings.Join(kept, " & ") + ` \\` + "\n")
	}
	b.WriteString(`\begin{center}` + "\n")
	if s.caption != "" {
		b.WriteString(texEscaper.Replace(s.caption) + `\\[4pt]` + "\n")
	}
	b.WriteString(`\begin{tabular}{` + spec.String() + "}\n\\hline\n")
	cells := make([]string, len(s.heads))
	for k, h := range s.heads {
		cells[k] = `\textbf{` + texEscaper.Replace(h.name) + "}"
		if h.unit != "" {
			cells[k] += " (" + texEscaper.Replace(h.unit) + ")"
		}
		if h.sorted != 0 {
			cells[k] += " " + texEscaper.Replace(h.arrow())
		}
	}
	line(cells)
	if s.kinds() {
		for k, h := range s.heads {
			cells[k] = `{\small ` + texEscaper.Replace(h.kind) + "}"
		}
		line(cells)
	}
	b.WriteString("\\hline\n")
	for _, row := range s.rows {
		for k, e := range row {
			cells[k] = texEscaper.Replace(e.text)
			if e.marked || e.name {
				cells[k] = `\textbf{` + cells[k] + "}"
			}
		}
		line(cells)
	}
	b.WriteString("\\hline\n\\end{tabular}\n")
	if note := s.note(); note != "" {
		b.WriteString("\n" + texEscaper.Replace(note) + "\n")
	}
	b.WriteString(`\end{center}`)
	return b.String()
}
