package table

import (
	"fmt"
	"html"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/gokernel/gokernel/display"
)

// The page provides the text color, so that the table suits light and dark pages.
const (
	borderColor = "var(--jp-border-color1,var(--vscode-panel-border,#999))"
	softColor   = "var(--jp-content-font-color2,var(--vscode-descriptionForeground,#666))"
	// Half transparent, so that it is visible on light and dark backgrounds.
	markColor = "rgba(80,113,222,0.25)"
	// Medium lightness, so that it is visible on light and dark backgrounds.
	blockColor = "#5071de"
	barWidth   = 90 // width of the longest bar, in pixels
)

// The colors of [Table.Gradient]. The strongest color is half transparent, so that text on it is
// readable on light and dark pages.
var (
	shadeBlue   = [3]float64{80, 113, 222}
	shadeOrange = [3]float64{222, 125, 40}
)

const strongestShade = 0.55

// shadeColor returns the CSS color of a shade.
func shadeColor(shade float64) string {
	c := shadeBlue
	if shade < 0 {
		c = shadeOrange
	}
	return fmt.Sprintf("rgba(%.0f,%.0f,%.0f,%.3g)", c[0], c[1], c[2], strongestShade*math.Abs(shade))
}

// note describes what the table omits.
func (s *shown) note() string {
	var parts []string
	if s.moreRows > 0 {
		parts = append(parts, plural(s.moreRows, "more row"))
	}
	if s.moreCols > 0 {
		parts = append(parts, plural(s.moreCols, "more column"))
	}
	if s.total[0] == 0 {
		parts = append(parts, "no rows")
	}
	more := strings.Join(parts, ", ")
	switch {
	case s.foot != "" && more != "":
		return more + " · " + s.foot
	case more == "":
		return s.foot
	}
	if s.moreRows+s.moreCols == 0 {
		return more
	}
	return fmt.Sprintf("%s (%d × %d)", more, s.total[0], s.total[1])
}

// advice returns the note with a hint how to see more rows, for readers who can write cells.
func (s *shown) advice() string {
	note := s.note()
	if s.how == "" {
		return note
	}
	return note + " · " + s.how
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// kinds reports whether any column has a type name.
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
	size := ""
	if z := display.CurrentTheme().Zoom(); z != 1 {
		size = fmt.Sprintf(";font-size:%.0f%%", 100*z)
	}
	b.WriteString(`<table style="border-collapse:collapse;font-variant-numeric:tabular-nums` + size + `">` + "\n")
	if s.caption != "" {
		b.WriteString(`<caption style="caption-side:top;text-align:left;padding:2px 0 6px 0;color:` + softColor + `">` + html.EscapeString(s.caption) + "</caption>\n")
	}
	align := func(right bool) string {
		if right {
			return "text-align:right"
		}
		return "text-align:left"
	}
	// Short texts stay on one line, even if the page is narrow.
	whole := func(text string) string {
		if utf8.RuneCountInString(text) <= 30 {
			return ";white-space:nowrap"
		}
		return ""
	}
	b.WriteString("<thead><tr>")
	for _, h := range s.heads {
		fmt.Fprintf(&b, `<th scope="col" style="%s%s;border-bottom:1px solid %s">%s`, align(h.right), whole(h.name+h.unit), borderColor, html.EscapeString(h.name))
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
				fmt.Fprintf(&b, `<th scope="row" style="text-align:left%s">%s</th>`, whole(e.text), text)
			case e.share > 0:
				// If a frontend removes styles, these characters show the bar.
				fmt.Fprintf(&b, `<td style="text-align:left"><span style="display:inline-block;width:%.0fpx;height:0.9em;overflow:hidden;white-space:nowrap;vertical-align:middle;background:%s;color:transparent">%s</span></td>`, math.Max(1, barWidth*e.share), blockColor, text)
			case e.blocks:
				fmt.Fprintf(&b, `<td style="text-align:left;white-space:pre;color:%s">%s</td>`, blockColor, text)
			case e.missing:
				fmt.Fprintf(&b, `<td style="%s;color:%s">%s</td>`, align(e.right), softColor, text)
			case e.shade != 0:
				if e.marked {
					text = "<strong>" + text + "</strong>"
				}
				fmt.Fprintf(&b, `<td style="%s%s;background:%s">%s</td>`, align(e.right), whole(e.text), shadeColor(e.shade), text)
			case e.marked:
				fmt.Fprintf(&b, `<td style="%s%s;background:%s"><strong>%s</strong></td>`, align(e.right), whole(e.text), markColor, text)
			default:
				fmt.Fprintf(&b, `<td style="%s%s">%s</td>`, align(e.right), whole(e.text), text)
			}
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody>\n")
	note := s.advice()
	if s.width() > wideTable && !s.whole {
		note = strings.TrimPrefix(note+" · scroll sideways for all columns", " · ")
	}
	if note != "" {
		// The note stays visible while the columns scroll.
		fmt.Fprintf(&b, `<tfoot><tr><td colspan="%d" style="text-align:left;color:%s"><span style="position:sticky;left:0">%s</span></td></tr></tfoot>`+"\n", max(1, len(s.heads)), softColor, html.EscapeString(note))
	}
	b.WriteString("</table>")
	return b.String()
}

// wideTable is the minimum row length, in characters, of tables that do not fit into the columns of
// notebooks and pages.
const wideTable = 110

// width returns the length of a row in characters, with two characters between columns. Long
// texts are wrapped.
func (s *shown) width() int {
	total := 0
	for k, h := range s.heads {
		widest := utf8.RuneCountInString(h.name + h.unit)
		for _, row := range s.rows {
			widest = max(widest, min(most, utf8.RuneCountInString(row[k].text)))
		}
		total += widest + 2
	}
	return total
}

// most is the maximum width of a text column.
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
	if note := s.advice(); note != "" {
		b.WriteString(note + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}
