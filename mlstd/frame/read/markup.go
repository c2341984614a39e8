package read

import (
	"bytes"
	"html"
	"io"
	"strings"

	"github.com/gokernel/gokernel/mlstd/frame"
)

var escapeTeX = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "#", `\#`, "%", `\%`,
	"_", `\_`, "^", `\textasciicircum{}`, "~", `\textasciitilde{}`, "<", `\textless{}`, ">", `\textgreater{}`).Replace

// writeMarkup writes the names of the columns and the cells of all rows as lines, with begin,
// middle and end around them. Numbers are exact.
func writeMarkup(w io.Writer, f *frame.Frame, o *Format, missing, begin, middle, end string, line func(b *bytes.Buffer, cells []string, head bool)) error {
	if len(o.Missing) > 0 {
		missing = o.Missing[0]
	}
	columns := f.Columns()
	write := make([]appender, len(columns))
	cells := make([]string, len(columns))
	for j, c := range columns {
		if cells[j] = c.Name(); c.Unit() != "" {
			cells[j] += " (" + c.Unit() + ")"
		}
		if c.Kind() == frame.FloatKind {
			write[j] = func(line []byte, i int) []byte { return append(line, c.Text(i)...) }
			continue
		}
		write[j] = appenderOf(c, '.', func(line []byte, s string) []byte { return append(line, s...) }, momentOf(c))
	}
	var b bytes.Buffer
	b.WriteString(begin)
	line(&b, cells, true)
	b.WriteString(middle)
	var text []byte
	for i := range f.Len() {
		for j, c := range columns {
			if cells[j] = missing; !c.IsMissing(i) {
				text = write[j](text[:0], i)
				cells[j] = string(text)
			}
		}
		line(&b, cells, false)
		if b.Len() > 1<<15 {
			if _, err := b.WriteTo(w); err != nil {
				return err
			}
		}
	}
	b.WriteString(end)
	_, err := b.WriteTo(w)
	return err
}

// numeric reports which columns hold numbers, which are aligned on the right.
func numeric(f *frame.Frame) []bool {
	out := make([]bool, f.Width())
	for j, c := range f.Columns() {
		out[j] = c.Kind() == frame.FloatKind || c.Kind() == frame.IntKind
	}
	return out
}

// writeHTML writes a table element.
func writeHTML(w io.Writer, f *frame.Frame, o *Format) error {
	right := numeric(f)
	return writeMarkup(w, f, o, "–", "<table>\n<thead>\n", "</thead>\n<tbody>\n", "</tbody>\n</table>\n", func(b *bytes.Buffer, cells []string, head bool) {
		b.WriteString("<tr>")
		for j, s := range cells {
			begin, end := "<td", "</td>"
			if head {
				begin, end = `<th scope="col"`, "</th>"
			}
			b.WriteString(begin)
			if right[j] {
				b.WriteString(` style="text-align:right"`)
			}
			b.WriteString(">" + html.EscapeString(s) + end)
		}
		b.WriteString("</tr>\n")
	})
}

// writeTeX writes a tabular environment of package booktabs.
func writeTeX(w io.Writer, f *frame.Frame, o *Format) error {
	spec := ""
	for _, right := range numeric(f) {
		if right {
			spec += "r"
		} else {
			spec += "l"
		}
	}
	return writeMarkup(w, f, o, "--", "\\begin{tabular}{"+spec+"}\n\\toprule\n", "\\midrule\n", "\\bottomrule\n\\end{tabular}\n", func(b *bytes.Buffer, cells []string, head bool) {
		for j, s := range cells {
			if j > 0 {
				b.WriteString(" & ")
			}
			b.WriteString(escapeTeX(s))
		}
		b.WriteString(" \\\\\n")
	})
}

// writeMarkdown writes a table of GitHub Flavored Markdown.
func writeMarkdown(w io.Writer, f *frame.Frame, o *Format) error {
	rule := "|"
	for _, right := range numeric(f) {
		if right {
			rule += "---:|"
		} else {
			rule += "---|"
		}
	}
	escape := strings.NewReplacer(`\`, `\\`, "|", `\|`, "\n", "<br>", "\r", "", "<", "&lt;", "*", `\*`, "_", `\_`, "`", "\\`").Replace
	return writeMarkup(w, f, o, "–", "", rule+"\n", "", func(b *bytes.Buffer, cells []string, head bool) {
		b.WriteString("|")
		for _, s := range cells {
			b.WriteString(" " + escape(s) + " |")
		}
		b.WriteString("\n")
	})
}
