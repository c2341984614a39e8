package magic

import (
	"errors"
	"fmt"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// query converts a %%sql cell to the call of ml.SQL that it is short for. The query keeps its
// lines, so that errors have the lines of the cell.
func query(c Call) (string, error) {
	name, file := "", ""
	for _, arg := range strings.Fields(c.Args) {
		switch {
		case name == "" && file == "" && token.IsIdentifier(arg):
			name = arg
		case file == "":
			file = arg
		default:
			return "", fmt.Errorf("%%%%sql takes a name and a file, and then %q", arg)
		}
	}
	if strings.TrimSpace(c.Body) == "" {
		return "", errors.New("%%sql: write the query below, such as select * from NAME")
	}
	var b strings.Builder
	frames := c.Session.Frames()
	if name != "" {
		if b.WriteString(name); slices.Contains(frames, name) {
			b.WriteString(" = ")
		} else {
			b.WriteString(" := ")
		}
	}
	b.WriteString("ml.SQL(`\n")
	b.WriteString(strings.ReplaceAll(c.Body, "`", "`+\"`\"+`"))
	b.WriteString("`, map[string]*ml.Frame{")
	list(&b, frames)
	b.WriteString("}, map[string]any{")
	list(&b, c.Session.Values())
	b.WriteString("}")
	if file != "" {
		b.WriteString(", " + strconv.Quote(file))
	}
	b.WriteString(")\n" + name)
	return b.String(), nil
}

// list writes the elements of a map from names to variables.
func list(b *strings.Builder, names []string) {
	for _, name := range names {
		fmt.Fprintf(b, "%q: %s, ", name, name)
	}
}
