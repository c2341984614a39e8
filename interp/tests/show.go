package tests

import (
	"fmt"
	"html"
	"strings"

	"github.com/gokernel/gokernel/display"
)

// colors are the colors of the words for results. They are readable on light and dark pages.
var colors = map[string]string{"pass": "#2e9e44", "fail": "#d64545", "skip": "#b58900"}

// Show returns the results as a table, followed by the output of each failed or skipped test, or of
// all tests if all is set.
func Show(list []Result, all bool) display.Bundle {
	width, measured := len("test"), len("time")
	for _, r := range list {
		width = max(width, len([]rune(indented(r.Name))))
		measured = max(measured, len([]rune(timeOf(r))))
	}
	var text, page strings.Builder
	fmt.Fprintf(&text, "%-*s  %-6s  %s\n", width, "test", "result", "time")
	page.WriteString(`<table><tr><th style="text-align:left">test</th><th style="text-align:left">result</th><th style="text-align:right">time</th></tr>`)
	for _, r := range list {
		fmt.Fprintf(&text, "%s\n", strings.TrimRight(fmt.Sprintf("%-*s  %-6s  %s", width, indented(r.Name), r.end(), timeOf(r)), " "))
		depth := strings.Count(r.Name, "/")
		fmt.Fprintf(&page, `<tr><td style="text-align:left;padding-left:%.1fem"><code>%s</code></td><td style="text-align:left;color:%s;font-weight:bold">%s</td><td style="text-align:right">%s</td></tr>`,
			0.5+1.2*float64(depth), html.EscapeString(last(r.Name)), colors[r.end()], r.end(), html.EscapeString(timeOf(r)))
		if log := strings.TrimRight(dedent(r.Output), " \n"); log != "" && (all || r.end() != "pass") {
			text.WriteString("    " + strings.ReplaceAll(log, "\n", "\n    ") + "\n")
			fmt.Fprintf(&page, `<tr><td colspan="3" style="text-align:left;padding-left:%.1fem"><pre style="margin:0;text-align:left">%s</pre></td></tr>`, 1.7+1.2*float64(depth), html.EscapeString(log))
		}
	}
	page.WriteString("</table>")
	return display.Bundle{Data: map[string]any{
		display.MIMEText: strings.TrimSuffix(text.String(), "\n"),
		display.MIMEHTML: page.String(),
	}}
}

// end returns the word for the result of a test.
func (r *Result) end() string {
	if r.Action == "" {
		return "fail" // it did not end
	}
	return r.Action
}

// timeOf returns how long a test took, if that is more than zero, or the measurements of a
// benchmark.
func timeOf(r Result) string {
	switch {
	case r.Bench():
		return r.Time
	case r.Time == "":
		return ""
	}
	return r.Time + " s"
}

// indented indents subtests and removes the names of their tests.
func indented(name string) string {
	return strings.Repeat("  ", strings.Count(name, "/")) + last(name)
}

func last(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// dedent removes the indentation that all lines share.
func dedent(text string) string {
	lines := strings.Split(text, "\n")
	least := -1
	for _, l := range lines {
		if t := strings.TrimLeft(l, " "); t != "" && (least < 0 || len(l)-len(t) < least) {
			least = len(l) - len(t)
		}
	}
	for i, l := range lines {
		lines[i] = l[min(max(least, 0), len(l)):]
	}
	return strings.Join(lines, "\n")
}

// Failed returns the names of the tests that failed, without their subtests.
func Failed(list []Result) []string {
	var names []string
	for _, r := range list {
		if r.end() == "fail" && !strings.Contains(r.Name, "/") {
			names = append(names, r.Name)
		}
	}
	return names
}

// Count returns the number of tests without their subtests.
func Count(list []Result) int {
	n := 0
	for _, r := range list {
		if !strings.Contains(r.Name, "/") {
			n++
		}
	}
	return n
}
