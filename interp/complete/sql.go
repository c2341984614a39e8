package complete

import (
	"slices"
	"sort"
	"strings"

	"github.com/gokernel/gokernel/internal/pattern"
	"github.com/gokernel/gokernel/interp/cursor"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

var (
	// afterTable matches text after which a query names a table.
	afterTable = pattern.New(`(?i)\b(?:from|join|into|update|table)\s+$`)
	// sources matches the tables of a query and their aliases.
	sources = pattern.New(`(?i)\b(?:from|join|into|update)\s+([\pL\pN_.]+|"[^"]*"|` + "`[^`]*`" + `)(?:\s+(?:as\s+)?([\pL_][\pL\pN_]*))?`)
)

// inQuery completes the names in the query of a cell %%sql: tables, columns, and parameters after a
// colon. On the first line it completes the name of the database.
func inQuery(env *Env, code string, offset int) (evaluator.Completion, bool) {
	first, body, _ := strings.Cut(strings.TrimLeft(code, " \t\r\n"), "\n")
	name, args, ok := strings.Cut(strings.TrimSpace(first)+" ", " ")
	if name != "%%sql" || !ok {
		return evaluator.Completion{}, false
	}
	start, _ := cursor.Word(code, offset)
	prefix := code[start:offset]
	q := &sqlNames{prefix: prefix, seen: map[string]bool{}}
	if offset < len(code)-len(body) || body == "" && !strings.Contains(code[:offset], "\n") {
		if before := strings.Fields(code[:start]); len(before) != 1 {
			return evaluator.Completion{}, false
		}
		q.add("database", "", env.Databases...)
		return evaluator.Completion{Start: start, End: offset, Matches: q.list}, len(q.list) > 0
	}
	before := code[len(code)-len(body) : start]
	if strings.HasSuffix(before, ":") && !strings.HasSuffix(before, "::") {
		q.add("variable", "", env.Values...)
		return evaluator.Completion{Start: start, End: offset, Matches: q.list}, true
	}
	if env.SQL == nil {
		return evaluator.Completion{}, false
	}
	database := ""
	if fields := strings.Fields(args); len(fields) > 0 && slices.Contains(env.Databases, fields[0]) {
		database = fields[0]
	}
	q.tables = env.SQL(database)
	names := make([]string, 0, len(q.tables))
	for table := range q.tables {
		names = append(names, table)
	}
	sort.Strings(names)
	switch {
	case strings.HasSuffix(before, "."):
		q.member(before, body)
		for _, table := range names { // schema.table
			whole := before[strings.LastIndexAny(before, " \t\n(,")+1:]
			if rest, ok := strings.CutPrefix(table, whole); ok {
				q.add("table", "", rest)
			}
		}
	case afterTable().MatchString(before):
		q.add("table", "", names...)
	default:
		for _, m := range sources().FindAllStringSubmatch(body, -1) {
			q.add("column", m[1], q.tables[q.known(m[1])]...)
		}
		q.add("table", "", names...)
		if len(q.list) == 0 {
			for _, table := range names {
				q.add("column", table, q.tables[table]...)
			}
		}
	}
	return evaluator.Completion{Start: start, End: offset, Matches: q.list}, true
}

// sqlNames gathers names with a prefix.
type sqlNames struct {
	tables SQL
	prefix string
	seen   map[string]bool
	list   []evaluator.Match
}

// add adds names that begin with the prefix; the case of letters and quotation marks do not count.
func (q *sqlNames) add(kind, of string, names ...string) {
	for _, name := range names {
		if bare := strings.TrimLeft(name, "\"`"); q.seen[name] || len(bare) < len(q.prefix) || !strings.EqualFold(bare[:len(q.prefix)], q.prefix) {
			continue
		}
		q.seen[name] = true
		about := kind
		if of != "" {
			about += " of " + of
		}
		q.list = append(q.list, evaluator.Match{Text: name, Kind: kind, Signature: about})
	}
}

// known returns the table with a name, in any case of its letters.
func (q *sqlNames) known(name string) string {
	for table := range q.tables {
		if strings.EqualFold(table, name) {
			return table
		}
	}
	return ""
}

// member adds the columns of the table or alias before the last dot.
func (q *sqlNames) member(before, body string) {
	before = strings.TrimSuffix(before, ".")
	start, _ := cursor.Word(before, len(before))
	of := before[start:]
	for _, m := range sources().FindAllStringSubmatch(body, -1) {
		if strings.EqualFold(m[2], of) {
			of = m[1]
			break
		}
	}
	q.add("column", of, q.tables[q.known(of)]...)
}
