package bayesnet

import (
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/internal/wholefile"
	"github.com/gokernel/gokernel/mlstd/model"
)

// ReadBIF reads a network from a file in the Bayesian interchange format.
func ReadBIF(path string) (*BayesNetwork, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return ParseBIF(string(text))
}

// ParseBIF reads a network in the Bayesian interchange format: blocks network, variable and
// probability. For a variable without parents, a probability block has a "table". For any other
// variable, it has a "default" or, for each combination of the parents' states, a row "(states of
// the parents) numbers;". A "table" with parents is an error, because programs disagree about its
// order. Properties are ignored. Rows that add up to 1 within 0.001 are divided by their sum,
// because files have rounded numbers.
//
// References: [Cozman1998].
func ParseBIF(text string) (*BayesNetwork, error) {
	p := &bifParser{tokens: bifTokens(text), at: map[string]int{}}
	if err := p.file(); err != nil {
		return nil, err
	}
	n, err := NewBayesNetwork(p.name, p.nodes...)
	if e, ok := err.(*model.Error); ok {
		e.Op = "ParseBIF"
	}
	return n, err
}

type bifToken struct {
	text string
	line int
	word bool // not punctuation
}

const bifMarks = "{}()[]|;,"

func bifTokens(text string) []bifToken {
	var out []bifToken
	line := 1
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '\n':
			line++
			i++
		case c <= ' ':
			i++
		case strings.HasPrefix(text[i:], "//"):
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case strings.HasPrefix(text[i:], "/*"):
			end := strings.Index(text[i:], "*/")
			if end < 0 {
				end = len(text) - i - 2
			}
			line += strings.Count(text[i:i+end], "\n")
			i += end + 2
		case c == '"':
			end := strings.IndexByte(text[i+1:], '"')
			if end < 0 {
				end = len(text) - i - 1
			}
			out = append(out, bifToken{text[i+1 : i+1+end], line, true})
			line += strings.Count(text[i+1:i+1+end], "\n")
			i = min(i+end+2, len(text))
		case strings.IndexByte(bifMarks, c) >= 0:
			out = append(out, bifToken{string(c), line, false})
			i++
		default:
			start := i
			for i < len(text) && text[i] > ' ' && text[i] != '"' && strings.IndexByte(bifMarks, text[i]) < 0 {
				i++
			}
			out = append(out, bifToken{text[start:i], line, true})
		}
	}
	return out
}

type bifParser struct {
	tokens []bifToken
	k      int
	name   string
	nodes  []CPT
	at     map[string]int
}

func (p *bifParser) errorf(format string, args ...any) error {
	line := 1
	if len(p.tokens) > 0 {
		line = p.tokens[min(max(p.k-1, 0), len(p.tokens)-1)].line
	}
	return model.Errorf("ParseBIF", "line "+strconv.Itoa(line)+": "+format, args...).WithHint("see the Bayesian interchange format, version 0.15")
}

func (p *bifParser) next() bifToken {
	if p.k >= len(p.tokens) {
		p.k++
		return bifToken{}
	}
	p.k++
	return p.tokens[p.k-1]
}

// is reports whether the next token is the mark, and skips it if so.
func (p *bifParser) is(mark string) bool {
	if p.k < len(p.tokens) && !p.tokens[p.k].word && p.tokens[p.k].text == mark {
		p.k++
		return true
	}
	return false
}

func (p *bifParser) expect(marks string) error {
	for _, m := range marks {
		if !p.is(string(m)) {
			got := p.next().text
			return p.errorf("expected %q, got %q", string(m), got)
		}
	}
	return nil
}

// words reads words up to a mark; the commas between words are optional.
func (p *bifParser) words(end string) ([]string, error) {
	var out []string
	for !p.is(end) {
		if p.is(",") {
			continue
		}
		t := p.next()
		if !t.word {
			return nil, p.errorf("unexpected %q in a list; the list must end with %q", t.text, end)
		}
		out = append(out, t.text)
	}
	return out, nil
}

func (p *bifParser) file() error {
	for p.k < len(p.tokens) {
		var err error
		switch t := p.next(); t.text {
		case "network":
			err = p.network()
		case "variable":
			err = p.variable()
		case "probability":
			err = p.probability()
		default:
			err = p.errorf("expected network, variable or probability, got %q", t.text)
		}
		if err != nil {
			return err
		}
	}
	if len(p.nodes) == 0 {
		return p.errorf("the file must declare at least one variable")
	}
	return nil
}

func (p *bifParser) network() error {
	p.name = p.next().text
	if err := p.expect("{"); err != nil {
		return err
	}
	for !p.is("}") {
		if p.k >= len(p.tokens) {
			return p.errorf("the network block is not closed")
		}
		p.k++
	}
	return nil
}

func (p *bifParser) property() error {
	for !p.is(";") {
		if p.k >= len(p.tokens) {
			return p.errorf("a property is not closed by a semicolon")
		}
		p.k++
	}
	return nil
}

func (p *bifParser) variable() error {
	c := CPT{Name: p.next().text}
	if _, twice := p.at[c.Name]; twice {
		return p.errorf("variable %q is declared twice", c.Name)
	}
	if err := p.expect("{"); err != nil {
		return err
	}
	for !p.is("}") {
		switch t := p.next(); t.text {
		case "property":
			if err := p.property(); err != nil {
				return err
			}
		case "type":
			if kind := p.next().text; kind != "discrete" {
				return p.errorf("%s must be a discrete variable, got %s", c.Name, kind)
			}
			if err := p.expect("["); err != nil {
				return err
			}
			n, err := strconv.Atoi(p.next().text)
			if err != nil {
				return p.errorf("%s must have at least one state", c.Name)
			}
			if err := p.expect("]{"); err != nil {
				return err
			}
			if c.States, err = p.words("}"); err != nil {
				return err
			}
			if len(c.States) != n {
				return p.errorf("%s must have the %d states it declares, got %d", c.Name, n, len(c.States))
			}
			p.is(";")
		default:
			return p.errorf("unexpected %q in variable %s", t.text, c.Name)
		}
	}
	if c.States == nil {
		return p.errorf("variable %s must have a type", c.Name)
	}
	p.at[c.Name] = len(p.nodes)
	p.nodes = append(p.nodes, c)
	return nil
}

func (p *bifParser) probability() error {
	if err := p.expect("("); err != nil {
		return err
	}
	name := p.next().text
	i, ok := p.at[name]
	if !ok {
		return p.errorf("%q has a table but is not a declared variable", name)
	}
	c := &p.nodes[i]
	if c.P != nil {
		return p.errorf("%s must have one table, got two", name)
	}
	if p.is("|") {
		parents, err := p.words(")")
		if err != nil {
			return err
		}
		c.Parents = parents
	} else if err := p.expect(")"); err != nil {
		return err
	}
	if err := p.expect("{"); err != nil {
		return err
	}
	q := 1
	for _, name := range c.Parents {
		j, ok := p.at[name]
		if !ok {
			return p.errorf("%s has the parent %q, which is not a declared variable", c.Name, name)
		}
		if q *= len(p.nodes[j].States); q > 1<<24 {
			return p.errorf("%s has too many combinations of its parents' states", c.Name)
		}
	}
	c.P = make([][]float64, q)
	return p.tableRows(c)
}

func (p *bifParser) tableRows(c *CPT) error {
	var rest []float64
	for !p.is("}") {
		at := 0
		if p.is("(") {
			states, err := p.words(")")
			if err != nil {
				return err
			}
			if len(states) != len(c.Parents) {
				return p.errorf("each row of %s must name one state per parent, got %d states for %d parents", c.Name, len(states), len(c.Parents))
			}
			for k, s := range states {
				parent := p.nodes[p.at[c.Parents[k]]]
				at = at * len(parent.States)
				j := slices.Index(parent.States, s)
				if j < 0 {
					return p.errorf("%s has no state %q", parent.Name, s)
				}
				at += j
			}
		} else {
			switch t := p.next(); t.text {
			case "property":
				if err := p.property(); err != nil {
					return err
				}
				continue
			case "default":
				at = -1
			case "table":
				if len(c.Parents) > 0 {
					return p.errorf("the table of %s must name the states of its parents; write a row for each combination of states", c.Name)
				}
			default:
				return p.errorf("unexpected %q in the table of %s", t.text, c.Name)
			}
		}
		row, err := p.numbers(c)
		if err != nil {
			return err
		}
		if at < 0 {
			rest = row
			continue
		}
		c.P[at] = row
	}
	for k := range c.P {
		if c.P[k] == nil {
			if c.P[k] = rest; rest == nil {
				return p.errorf("the table of %[1]s must have %[3]d rows; row %[2]d is missing", c.Name, k, len(c.P))
			}
		}
	}
	return nil
}

func (p *bifParser) numbers(c *CPT) ([]float64, error) {
	words, err := p.words(";")
	if err != nil {
		return nil, err
	}
	if len(words) != len(c.States) {
		return nil, p.errorf("each row of %s must have one number per state, got %d numbers for %d states", c.Name, len(words), len(c.States))
	}
	row := make([]float64, len(words))
	sum := 0.0
	for k, w := range words {
		v, err := strconv.ParseFloat(w, 64)
		if err != nil || !(v >= 0 && v <= 1) {
			return nil, p.errorf("%[2]s must have numbers between 0 and 1, got %[1]q", w, c.Name)
		}
		row[k] = v
		sum += v
	}
	if sum < 0.999 || sum > 1.001 {
		return nil, p.errorf("each row of %s must sum to 1, got %v", c.Name, sum)
	}
	if sum < 1-1e-12 || sum > 1+1e-12 {
		normalize(row)
	}
	return row, nil
}

// BIF writes the network in the Bayesian interchange format.
func (n *BayesNetwork) BIF() string {
	n.must("BayesNetwork.BIF")
	var b strings.Builder
	name := n.Name
	if name == "" {
		name = "unknown"
	}
	b.WriteString("network " + bifWord(name) + " {\n}\n")
	for _, c := range n.Nodes {
		b.WriteString("variable " + bifWord(c.Name) + " {\n  type discrete [ " + strconv.Itoa(len(c.States)) + " ] { " + bifList(c.States) + " };\n}\n")
	}
	for i, c := range n.Nodes {
		b.WriteString("probability ( " + bifWord(c.Name))
		if len(c.Parents) > 0 {
			b.WriteString(" | " + bifList(c.Parents))
		}
		b.WriteString(" ) {\n")
		for r, row := range c.P {
			if len(c.Parents) == 0 {
				b.WriteString("  table ")
			} else {
				b.WriteString("  (" + bifList(n.configuration(i, r)) + ") ")
			}
			for k, v := range row {
				if k > 0 {
					b.WriteString(", ")
				}
				b.WriteString(strconv.FormatFloat(v, 'g', -1, 64))
			}
			b.WriteString(";\n")
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// configuration names the parents' states of row r of the table of variable i.
func (n *BayesNetwork) configuration(i, r int) []string {
	parents := n.vars[i].parents
	out := make([]string, len(parents))
	for k := len(parents) - 1; k >= 0; k-- {
		card := n.vars[parents[k]].card
		out[k] = n.Nodes[parents[k]].States[r%card]
		r /= card
	}
	return out
}

func bifList(words []string) string {
	out := make([]string, len(words))
	for k, w := range words {
		out[k] = bifWord(w)
	}
	return strings.Join(out, ", ")
}

// bifWord quotes a name that would otherwise be read as several words.
func bifWord(w string) string {
	if strings.ContainsAny(w, bifMarks+" \t\r\n/*") {
		return `"` + strings.ReplaceAll(w, `"`, "'") + `"`
	}
	return w
}

// WriteBIF writes the network to a file in the Bayesian interchange format. If it returns an error,
// the file is unchanged.
func (n *BayesNetwork) WriteBIF(path string) error {
	return wholefile.Write(path, []byte(n.BIF()))
}
