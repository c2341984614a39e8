package magic

import (
	"errors"
	"fmt"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// query converts a %%sql cell to the call that it is short for: a call of ml.SQL, or of the method
// Query of a database. The query keeps its lines, so that errors have the lines of the cell.
func query(c Call) (string, error) {
	args := strings.Fields(c.Args)
	database := ""
	if len(args) > 0 && slices.Contains(c.Session.Databases(), args[0]) {
		database, args = args[0], args[1:]
	}
	name, file := "", ""
	for _, arg := range args {
		switch {
		case name == "" && file == "" && token.IsIdentifier(arg):
			name = arg
		case file == "" && database == "":
			file = arg
		case database != "":
			return "", fmt.Errorf("%%%%sql takes only a database and a name, got %q too", arg)
		default:
			return "", fmt.Errorf("%%%%sql takes only a name and a file, got %q too", arg)
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
	text := "`\n" + strings.ReplaceAll(c.Body, "`", "`+\"`\"+`") + "`"
	if database != "" {
		b.WriteString(database + ".Query(" + text + ", ")
	} else {
		b.WriteString("ml.SQL(" + text + ", map[string]*ml.Frame{")
		list(&b, frames)
		b.WriteString("}, ")
	}
	b.WriteString("map[string]any{")
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
