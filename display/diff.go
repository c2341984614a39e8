package display

import (
	"fmt"
	"html"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Limits of a difference.
const (
	maxChanges = 200
	maxLines   = 2000 // maximum number of lines of a text that is compared line by line
)

// change is one place where two values differ, with the text of both values. The text of a value
// that one side lacks is "absent".
type change struct {
	path string
	a, b string
}

// Diff returns a bundle that shows where two values differ. For two strings of several lines it
// shows the lines that were removed and added. For other values it shows paths (.Name, [3],
// ["key"]) with the value in a and in b.
func Diff(a, b any) Bundle {
	if s, ok := a.(string); ok {
		if t, ok := b.(string); ok && (strings.Contains(s, "\n") || strings.Contains(t, "\n")) {
			return lineDiff(s, t)
		}
	}
	d := differ{}
	d.walk("", reflect.ValueOf(a), reflect.ValueOf(b), 0)
	if len(d.changes) == 0 {
		return Text("no difference")
	}
	var text, page strings.Builder
	page.WriteString(`<table><thead><tr><th style="text-align:left">where</th><th style="text-align:left">a</th><th style="text-align:left">b</th></tr></thead><tbody>`)
	for _, c := range d.changes {
		path := c.path
		if path == "" {
			path = "value"
		}
		fmt.Fprintf(&text, "%s: %s → %s\n", path, c.a, c.b)
		fmt.Fprintf(&page, `<tr><td style="text-align:left"><code>%s</code></td><td style="text-align:left">%s</td><td style="text-align:left">%s</td></tr>`,
			html.EscapeString(path), html.EscapeString(c.a), html.EscapeString(c.b))
	}
	page.WriteString("</tbody></table>")
	if d.more > 0 {
		fmt.Fprintf(&text, "%d more\n", d.more)
		fmt.Fprintf(&page, "<p>%d more</p>", d.more)
	}
	return Bundle{Data: map[string]any{MIMEText: strings.TrimSuffix(text.String(), "\n"), MIMEHTML: page.String()}}
}

type differ struct {
	changes []change
	more    int
	open    []uintptr
}

func (d *differ) add(path string, a, b reflect.Value) {
	if len(d.changes) == maxChanges {
		d.more++
		return
	}
	d.changes = append(d.changes, change{path, short(a), short(b)})
}

func short(v reflect.Value) string {
	if !v.IsValid() {
		return "absent"
	}
	f := &formatter{}
	return cut(strings.Join(strings.Fields(f.value(v, maxDepth-2, 0, true)), " "), nestedRunes)
}

func (d *differ) walk(path string, a, b reflect.Value, depth int) {
	for a.IsValid() && a.Kind() == reflect.Interface {
		a = a.Elem()
	}
	for b.IsValid() && b.Kind() == reflect.Interface {
		b = b.Elem()
	}
	if !a.IsValid() || !b.IsValid() {
		if a.IsValid() != b.IsValid() {
			d.add(path, a, b)
		}
		return
	}
	if a.Type() != b.Type() || depth > 50 {
		d.add(path, a, b)
		return
	}
	switch a.Kind() {
	case reflect.Pointer:
		if a.Pointer() == b.Pointer() || slices.Contains(d.open, a.Pointer()) {
			return
		}
		if a.IsNil() || b.IsNil() {
			d.add(path, a, b)
			return
		}
		d.open = append(d.open, a.Pointer())
		d.walk(path, a.Elem(), b.Elem(), depth+1)
		d.open = d.open[:len(d.open)-1]
	case reflect.Struct:
		for i := range a.NumField() {
			d.walk(path+"."+a.Type().Field(i).Name, a.Field(i), b.Field(i), depth+1)
		}
	case reflect.Slice, reflect.Array:
		for i := range max(a.Len(), b.Len()) {
			var x, y reflect.Value
			if i < a.Len() {
				x = a.Index(i)
			}
			if i < b.Len() {
				y = b.Index(i)
			}
			d.walk(path+"["+strconv.Itoa(i)+"]", x, y, depth+1)
		}
	case reflect.Map:
		keys := a.MapKeys()
		for _, k := range b.MapKeys() {
			if !a.MapIndex(k).IsValid() {
				keys = append(keys, k)
			}
		}
		slices.SortStableFunc(keys, compareKeys)
		for _, k := range keys {
			d.walk(path+"["+short(k)+"]", a.MapIndex(k), b.MapIndex(k), depth+1)
		}
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		if a.Pointer() != b.Pointer() {
			d.add(path, a, b)
		}
	default:
		if !a.Equal(b) && !(a.CanFloat() && a.Float() != a.Float() && b.Float() != b.Float()) {
			d.add(path, a, b)
		}
	}
}

// lineDiff compares texts by the longest common subsequence of their lines.
func lineDiff(s, t string) Bundle {
	a, b := strings.Split(s, "\n"), strings.Split(t, "\n")
	if s == t {
		return Text("no difference")
	}
	if len(a) > maxLines || len(b) > maxLines {
		return Text(fmt.Sprintf("the texts differ, but have too many lines to compare (%d and %d, at most %d)", len(a), len(b), maxLines))
	}
	// longest[i][j] is the length of the longest common subsequence of a[i:] and b[j:].
	longest := make([][]int32, len(a)+1)
	for i := range longest {
		longest[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	var text, page strings.Builder
	page.WriteString(`<pre style="line-height:1.3;margin:0;font-family:monospace">`)
	line := func(sign, color, s string) {
		text.WriteString(sign + " " + s + "\n")
		if color == "" {
			page.WriteString("  " + html.EscapeString(s) + "\n")
			return
		}
		// Half-transparent colors are readable on light and on dark pages.
		page.WriteString(`<span style="background:` + color + `">` + sign + " " + html.EscapeString(s) + "</span>\n")
	}
	const removed, added = "rgba(214,96,77,0.30)", "rgba(67,147,195,0.30)"
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			line(" ", "", a[i])
			i, j = i+1, j+1
		case j == len(b) || (i < len(a) && longest[i+1][j] >= longest[i][j+1]):
			line("-", removed, a[i])
			i++
		default:
			line("+", added, b[j])
			j++
		}
	}
	page.WriteString("</pre>")
	return Bundle{Data: map[string]any{MIMEText: strings.TrimSuffix(text.String(), "\n"), MIMEHTML: page.String()}}
}
