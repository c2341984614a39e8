package profile

import (
	"fmt"
	"html"
	"strings"
	"time"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/interp/engine"
)

// mostRows is the maximum number of rows of a table.
const mostRows = 20

// Table shows the functions and lines that took the most time. The function text returns the text
// of a file, such as a cell.
func Table(p *engine.Profile, text func(file string) (string, bool)) display.Bundle {
	var plain, page strings.Builder
	head := Head(p)
	plain.WriteString(head + "\n")
	fmt.Fprintf(&page, `<div>%s</div>`, html.EscapeString(head))
	all := p.CPU()
	t := &table{plain: &plain, page: &page, all: all}
	t.begin("function", "where")
	for _, r := range t.most(functions(p)) {
		where := r.file
		if r.kind == ofKernel {
			where = "compiled"
		}
		if where == r.name {
			where = ""
		}
		t.row(r.times, r.name, where)
	}
	t.end()
	t.begin("line", "source")
	for _, r := range t.most(lines(p)) {
		t.row(r.times, r.where(), sourceLine(r, text))
	}
	t.end()
	return display.Bundle{Data: map[string]any{
		display.MIMEText: strings.TrimRight(plain.String(), "\n"),
		display.MIMEHTML: page.String(),
	}}
}

// Head describes how much time was sampled.
func Head(p *engine.Profile) string {
	n := 0
	for _, s := range p.Samples {
		n += s.Count
	}
	samples := fmt.Sprintf("%d samples", n)
	if n == 1 {
		samples = "1 sample"
	}
	return fmt.Sprintf("%s of CPU time in %s, %s", Duration(p.CPU()), Duration(p.Elapsed), samples)
}

// Duration formats a duration with three digits.
func Duration(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%.3g ms", d.Seconds()*1000)
	}
	return fmt.Sprintf("%.3g s", d.Seconds())
}

// sourceLine returns the text of a line without surrounding space.
func sourceLine(r row, text func(file string) (string, bool)) string {
	s, ok := text(r.file)
	list := strings.Split(s, "\n")
	if !ok || r.line > len(list) {
		return ""
	}
	return strings.TrimSpace(list[r.line-1])
}

// table writes rows as text and as HTML.
type table struct {
	plain, page *strings.Builder
	all         time.Duration
	rows        [][2]string
	times       []times
	heads       [2]string
}

// most returns the rows to show: rows with at least a thousandth of the time, up to the maximum
// number.
func (t *table) most(list []row) []row {
	for i, r := range list {
		if i == mostRows || r.total*1000 < t.all {
			return list[:i]
		}
	}
	return list
}

func (t *table) begin(heads ...string) {
	t.rows, t.times, t.heads = nil, nil, [2]string(heads)
}

func (t *table) row(of times, name, where string) {
	t.times, t.rows = append(t.times, of), append(t.rows, [2]string{name, where})
}

// share formats a time as a percentage of the total.
func (t *table) share(d time.Duration) string {
	return fmt.Sprintf("%.1f%%", 100*float64(d)/float64(max(t.all, 1)))
}

func (t *table) end() {
	width := len(t.heads[0])
	for _, r := range t.rows {
		width = max(width, len([]rune(r[0])))
	}
	fmt.Fprintf(t.plain, "\n%8s %6s %8s %6s  %-*s  %s\n", "self", "", "total", "", width, t.heads[0], t.heads[1])
	const left, right = ` style="text-align:left"`, ` style="text-align:right"`
	fmt.Fprintf(t.page, `<table><tr><th colspan="2"%s>self</th><th colspan="2"%s>total</th><th%s>%s</th><th%s>%s</th></tr>`,
		right, right, left, t.heads[0], left, t.heads[1])
	for i, r := range t.rows {
		of := t.times[i]
		line := fmt.Sprintf("%8s %6s %8s %6s  %-*s  %s", Duration(of.self), t.share(of.self), Duration(of.total), t.share(of.total), width, r[0], r[1])
		t.plain.WriteString(strings.TrimRight(line, " ") + "\n")
		t.page.WriteString("<tr>")
		for _, s := range []string{Duration(of.self), t.share(of.self), Duration(of.total), t.share(of.total)} {
			fmt.Fprintf(t.page, `<td style="text-align:right;font-variant-numeric:tabular-nums">%s</td>`, s)
		}
		fmt.Fprintf(t.page, `<td%s><code>%s</code></td><td%s><code>%s</code></td></tr>`, left, html.EscapeString(r[0]), left, html.EscapeString(r[1]))
	}
	t.page.WriteString("</table>")
}
