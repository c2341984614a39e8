package magic

import (
	"context"
	"errors"
	"fmt"
	"html"
	"maps"
	"strings"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/interp/split"
)

func who(_ context.Context, c Call) error {
	kind := c.Args
	switch kind {
	case "", "var", "func", "type", "const":
	default:
		return fmt.Errorf("%%who: %q is not a kind: use var, func, type or const", kind)
	}
	var list []Variable
	for _, v := range c.Session.Variables() {
		if kind == "" || v.Kind == kind {
			list = append(list, v)
		}
	}
	if len(list) == 0 {
		c.Out.Stdout("nothing is declared\n")
	} else if err := c.Out.Display(table(list)); err != nil {
		return err
	}
	if n, methods, size := c.Session.Replaced(); n > 0 && (kind == "" || kind == "type") {
		c.Out.Stdout(fmt.Sprintf("replaced types: %d, with %d methods, about %s; they stay in memory, because values of these types can still exist\n", n, methods, size))
	}
	return nil
}

// table shows the variables as a table.
func table(list []Variable) display.Bundle {
	rows := [][]string{{"name", "kind", "type", "size", "cell", "value"}}
	for _, v := range list {
		rows = append(rows, []string{v.Name, v.Kind, v.Type, v.Size, fmt.Sprintf("[%d]", v.Cell), v.Value})
	}
	return rowsTable(rows)
}

// rowsTable shows rows as HTML and text; the first row is the header.
func rowsTable(rows [][]string) display.Bundle {
	width := make([]int, len(rows[0]))
	for _, r := range rows {
		for j, s := range r {
			width[j] = max(width[j], len([]rune(s)))
		}
	}
	var text, page strings.Builder
	page.WriteString("<table>")
	for i, r := range rows {
		tag := "td"
		if i == 0 {
			tag = "th"
		}
		page.WriteString("<tr>")
		line := ""
		for j, s := range r {
			line += s + strings.Repeat(" ", width[j]-len([]rune(s))+2)
			fmt.Fprintf(&page, `<%s style="text-align:left">%s</%s>`, tag, html.EscapeString(s), tag)
		}
		text.WriteString(strings.TrimRight(line, " ") + "\n")
		page.WriteString("</tr>")
	}
	page.WriteString("</table>")
	return display.Bundle{Data: map[string]any{
		display.MIMEText: strings.TrimSuffix(text.String(), "\n"),
		display.MIMEHTML: page.String(),
	}}
}

func reset(_ context.Context, c Call) error {
	c.Session.Reset()
	return nil
}

// ownPackage does nothing: the package was declared when the cell was compiled.
func ownPackage(context.Context, Call) error { return nil }

func doc(_ context.Context, c Call) error {
	if c.Args == "" {
		return errors.New("%doc: give a name, such as %doc strings.Split")
	}
	b, ok := c.Session.Doc(c.Args, c.Detail)
	if !ok {
		if ours := c.Session.Meant(c.Args); ours != "" {
			return fmt.Errorf("there is no documentation of %s: the library calls it %s; write ?%s", c.Args, ours, ours)
		}
		return fmt.Errorf("there is no documentation of %s, because there is no such name: type its first letters and press Tab to list names", c.Args)
	}
	if md, ok := b.Data[display.MIMEMarkdown].(string); ok {
		data := maps.Clone(b.Data)
		data[display.MIMEMarkdown] = wholeWords(md)
		b.Data = data
	}
	return c.Out.Page(b)
}

// wholeWords makes code blocks in Markdown break only between words, because JupyterLab breaks the
// lines of an output anywhere.
func wholeWords(md string) string {
	const begin, end = "```go\n", "\n```"
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(md, begin)
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		code, after, _ := strings.Cut(rest, end)
		b.WriteString(`<pre style="word-break:normal;overflow-wrap:break-word"><code>` + html.EscapeString(code) + "</code></pre>")
		md = after
	}
}

// formatCell formats the cell without its magics as gofmt does.
func formatCell(_ context.Context, c Call) error {
	var kept []string
	for _, line := range strings.Split(c.Session.CellText(), "\n") {
		if t := strings.TrimSpace(line); t != "%fmt" {
			kept = append(kept, line)
		}
	}
	if strings.TrimSpace(strings.Join(kept, "")) == "" {
		return errors.New("%%fmt: the cell has no code to format")
	}
	text, err := split.Format(strings.Join(kept, "\n"))
	if err != nil {
		return fmt.Errorf("%%fmt: %w", err)
	}
	return c.Out.SetNextInput(text, true)
}

func help(_ context.Context, c Call) error {
	var b strings.Builder
	if name := strings.TrimLeft(c.Args, "%"); name != "" {
		for _, m := range All() {
			if m.Name == name {
				fmt.Fprintf(&b, "%s %s\n", m, m.Doc)
			}
		}
		if b.Len() == 0 {
			return fmt.Errorf("%%help: there is no magic %q; %%lsmagic lists them. For the documentation of a Go name, write %s?", name, name)
		}
		c.Out.Stdout(b.String())
		return nil
	}
	b.WriteString(`A cell holds Go: imports, declarations and statements in any order.

- The value of the last expression is shown; a semicolon after it hides it.
- Packages need no import line: strings.Fields, mat.NewDense, ml.Iris.
- Anything can be declared again; code that uses the name gets the new declaration.
- A cell fails if a call returns an error that you don't assign; f := os.Open(name) is fine.
- Vectors ([]float64) and matrices have + - * /.
- Tab completes names; Shift-Tab or name? shows documentation.

Magics:

`)
	for _, m := range All() {
		fmt.Fprintf(&b, "- `%s` %s\n", m, m.Doc)
	}
	return c.Out.Display(display.Markdown(b.String()))
}

func lsmagic(_ context.Context, c Call) error {
	var b strings.Builder
	for _, m := range All() {
		fmt.Fprintf(&b, "%-45s %s\n", m, m.Doc)
	}
	c.Out.Stdout(b.String())
	return nil
}
