package page

import (
	"fmt"
	"html"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/internal/pattern"
)

// A formula with \label{name} has a number, or the text of its \tag. In the text of any cell,
// \eqref{name} becomes a link with the number.
var (
	equationLabel = pattern.New(`(?:\\tag\*?\{([^{}]*)\}\s*)?\\label\{([^{}]+)\}(?:\s*\\tag\*?\{([^{}]*)\})?`)
	equationRef   = pattern.New(`\\(eq)?ref\{([^{}]+)\}`)
	wholeRef      = pattern.New(`^\s*\\(eq)?ref\{([^{}]+)\}\s*$`)
	// KaTeX would number all rows of these environments. As in Jupyter, only rows with a label
	// have a number.
	numberedRows = pattern.New(`\\(begin|end)\{(equation|align|alignat|gather)\}`)
	codeInText   = pattern.New("(?s)```.*?```|`[^`\n]*`")
)

// EquationFault is a mistake in the labels of formulas.
type EquationFault struct{ Cell, What string }

// Equations returns the numbers of the formulas with labels, by label. It reports labels that occur
// twice, and references without a label.
func Equations(nb *notebook.Notebook) (numbers map[string]string, faults []EquationFault) {
	numbers = map[string]string{}
	last := 0
	texts := map[string]string{}
	for _, c := range nb.Cells {
		if c.Type != notebook.Markdown || !strings.Contains(c.Source, `\`) {
			continue
		}
		texts[c.ID] = codeInText().ReplaceAllString(c.Source, "")
		for _, m := range equationLabel().FindAllStringSubmatch(texts[c.ID], -1) {
			name, tag := m[2], m[1]+m[3]
			if _, twice := numbers[name]; twice {
				faults = append(faults, EquationFault{c.ID, fmt.Sprintf("two formulas have the label %s", name)})
				continue
			}
			if n, err := strconv.Atoi(tag); err == nil {
				last = n
			} else if tag == "" {
				last++
				tag = strconv.Itoa(last)
			}
			numbers[name] = tag
		}
	}
	for _, c := range nb.Cells {
		for _, m := range equationRef().FindAllStringSubmatch(texts[c.ID], -1) {
			if _, ok := numbers[m[2]]; !ok {
				faults = append(faults, EquationFault{c.ID, fmt.Sprintf("no formula has the label %s", m[2])})
			}
		}
	}
	return numbers, faults
}

// equationID returns the ID of the formula with a label.
func equationID(label string) string {
	return "eq-" + strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '-'
	}, strings.TrimPrefix(label, "eq:"))
}

// numbered returns the text by which a page refers to the formula with a label.
func (d *document) numbered(label string, parentheses bool) string {
	n, ok := d.equations[label]
	if !ok {
		n = "?"
	}
	if parentheses {
		return "(" + n + ")"
	}
	return n
}

// formula returns the HTML of a formula, in which labels are replaced by numbers.
func (d *document) formula(tex string, display bool) string {
	if m := wholeRef().FindStringSubmatch(tex); m != nil {
		return d.refer(m[2], m[1] != "")
	}
	if !strings.Contains(tex, `\`) {
		return mathSpan(tex, display)
	}
	var ids []string
	tex = equationLabel().ReplaceAllStringFunc(tex, func(s string) string {
		m := equationLabel().FindStringSubmatch(s)
		ids = append(ids, equationID(m[2]))
		if !display {
			return ""
		}
		return `\tag{` + d.equations[m[2]] + `}`
	})
	tex = equationRef().ReplaceAllStringFunc(tex, func(s string) string {
		m := equationRef().FindStringSubmatch(s)
		return `\text{` + d.numbered(m[2], m[1] != "") + `}`
	})
	tex = numberedRows().ReplaceAllString(tex, `\$1{$2*}`)
	var out strings.Builder
	for _, id := range ids {
		fmt.Fprintf(&out, `<span id="%s"></span>`, id)
	}
	return out.String() + mathSpan(tex, display)
}

// refer returns the link to the formula with a label.
func (d *document) refer(label string, parentheses bool) string {
	shown := html.EscapeString(d.numbered(label, parentheses))
	if _, ok := d.equations[label]; !ok {
		return shown
	}
	return fmt.Sprintf(`<a href="#%s">%s</a>`, equationID(label), shown)
}

var kindReference = ast.NewNodeKind("Reference")

// reference is a reference to a formula in a text.
type reference struct {
	ast.BaseInline
	label       string
	parentheses bool
}

func (*reference) Kind() ast.NodeKind { return kindReference }

func (r *reference) Dump(src []byte, level int) {
	ast.DumpHelper(r, src, level, map[string]string{"label": r.label}, nil)
}

// parseReference parses \eqref{name} or \ref{name} at the beginning of a line's rest.
func parseReference(line []byte, block text.Reader) ast.Node {
	at := equationRef().FindSubmatchIndex(line)
	if at == nil || at[0] != 0 {
		return nil
	}
	block.Advance(at[1])
	return &reference{label: string(line[at[4]:at[5]]), parentheses: at[2] >= 0}
}
