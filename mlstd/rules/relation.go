package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Relation is a named relation, defined by a list of tuples of constants.
type Relation struct {
	Name   string
	Tuples [][]string
	// Types names the type of each argument. Variables of different types are never equated or
	// compared. The constants of the type "number" are numbers. nil means that all arguments have
	// the same type.
	Types []string
}

// Number is the name of the type of numeric arguments.
const Number = "number"

// Pairs makes a binary relation from lines such as "0 1, 0 3, 1 2".
func Pairs(name, pairs string) Relation {
	r := Relation{Name: name}
	for _, pair := range strings.Split(pairs, ",") {
		if tuple := strings.Fields(pair); len(tuple) > 0 {
			r.Tuples = append(r.Tuples, tuple)
		}
	}
	return r
}

// arity returns the number of arguments, or 0 if it is not known.
func (r Relation) arity() int {
	if len(r.Types) > 0 {
		return len(r.Types)
	}
	if len(r.Tuples) > 0 {
		return len(r.Tuples[0])
	}
	return 0
}

// Literal is a condition in the body of a rule. Variables are numbered from 0; the first variables
// are the arguments of the head.
type Literal struct {
	Kind    LiteralKind
	Negated bool
	Name    string  // of the relation
	Args    []int   // the variables
	Value   string  // the constant of EqualsConstant
	Cut     float64 // the threshold of AboveThreshold
}

// LiteralKind is the kind of test that a literal makes.
type LiteralKind int

const (
	InRelation     LiteralKind = iota // Q(X, Y): the tuple is in the relation
	EqualVariables                    // X = Y
	EqualsConstant                    // X = c
	AboveThreshold                    // X > a; negated X ≤ a
	AboveVariable                     // X > Y; negated X ≤ Y
)

// variable returns the name of variable k: A to Z, then A1 and so on.
func variable(k int) string {
	name := string(rune('A' + k%26))
	if k >= 26 {
		name += strconv.Itoa(k / 26)
	}
	return name
}

func variables(args []int) string {
	names := make([]string, len(args))
	for i, v := range args {
		names[i] = variable(v)
	}
	return strings.Join(names, ", ")
}

// String returns the literal in the syntax of Prolog.
func (l Literal) String() string {
	pick := func(yes, no string) string {
		if l.Negated {
			return no
		}
		return yes
	}
	switch l.Kind {
	case EqualVariables:
		return variable(l.Args[0]) + pick(" = ", ` \= `) + variable(l.Args[1])
	case EqualsConstant:
		return variable(l.Args[0]) + pick(" = ", ` \= `) + atom(l.Value)
	case AboveThreshold:
		return variable(l.Args[0]) + pick(" > ", " =< ") + strconv.FormatFloat(l.Cut, 'g', -1, 64)
	case AboveVariable:
		return variable(l.Args[0]) + pick(" > ", " =< ") + variable(l.Args[1])
	}
	return pick("", `\+ `) + atom(l.Name) + "(" + variables(l.Args) + ")"
}

// atom quotes a name that is not a plain Prolog atom.
func atom(name string) string {
	plain := name != ""
	for i, r := range name {
		letter := r >= 'a' && r <= 'z' || i > 0 && (r >= 'A' && r <= 'Z' || r == '_')
		digit := r >= '0' && r <= '9'
		if !letter && !digit || i > 0 && digit != (name[i-1] >= '0' && name[i-1] <= '9') && name[0] <= '9' {
			plain = false
		}
	}
	if plain {
		return name
	}
	return "'" + strings.ReplaceAll(strings.ReplaceAll(name, `\`, `\\`), "'", `\'`) + "'"
}

// Clause is a first-order rule: the head holds if all literals of the body hold. Variables that
// occur only in the body are existential. A negated literal with such a variable holds if no value
// of the variable satisfies the literal without its negation.
type Clause struct {
	Name string // the relation of the head
	Args int    // its arguments, variables 0 to Args−1
	Body []Literal
}

// Head returns the head as text, such as "can_reach(A, B)".
func (c Clause) Head() string {
	args := make([]int, c.Args)
	for i := range args {
		args[i] = i
	}
	return atom(c.Name) + "(" + variables(args) + ")"
}

// String returns the rule in the syntax of Prolog.
func (c Clause) String() string {
	if len(c.Body) == 0 {
		return c.Head() + "."
	}
	parts := make([]string, len(c.Body))
	for i, l := range c.Body {
		parts[i] = l.String()
	}
	return c.Head() + " :- " + strings.Join(parts, ", ") + "."
}

// table is a relation whose constants are numbers, with an index of the rows by constant and
// argument.
type table struct {
	name   string
	types  []int
	rows   [][]int32
	set    map[string]bool
	byArg  []map[int32][]int32
	target bool
}

func (t *table) add(row []int32) bool {
	k := key(row)
	if t.set[k] {
		return false
	}
	t.set[k] = true
	for a, v := range row {
		t.byArg[a][v] = append(t.byArg[a][v], int32(len(t.rows)))
	}
	t.rows = append(t.rows, row)
	return true
}

func newTable(name string, types []int) *table {
	t := &table{name: name, types: types, set: map[string]bool{}, byArg: make([]map[int32][]int32, len(types))}
	for a := range t.byArg {
		t.byArg[a] = map[int32][]int32{}
	}
	return t
}

// world assigns numbers to types and constants. A constant of two types counts as two constants.
type world struct {
	types     []string
	constants []string
	typeOf    []int
	values    []float64 // of numbers
	numbers   map[string]int32
	byType    [][]int32
	tables    map[string]*table
	order     []*table // background relations as given, then the target
}

func newWorld() *world {
	return &world{numbers: map[string]int32{}, tables: map[string]*table{}}
}

func (w *world) typeNumber(name string) int {
	k := slices.Index(w.types, name)
	if k < 0 {
		k = len(w.types)
		w.types, w.byType = append(w.types, name), append(w.byType, nil)
	}
	return k
}

func (w *world) constant(op, name string, typ int) (int32, error) {
	id := strconv.Itoa(typ) + " " + name
	if k, ok := w.numbers[id]; ok {
		return k, nil
	}
	value := 0.0
	if w.types[typ] == Number {
		v, err := strconv.ParseFloat(name, 64)
		if err != nil || v-v != 0 {
			return 0, model.Errorf(op, "an argument of type %[2]q must be a finite number, got %[1]q", name, Number).WithHint("write a number, or change the type of the argument")
		}
		value = v
	}
	k := int32(len(w.constants))
	w.numbers[id] = k
	w.constants, w.typeOf, w.values = append(w.constants, name), append(w.typeOf, typ), append(w.values, value)
	w.byType[typ] = append(w.byType[typ], k)
	return k, nil
}

// relation converts a relation to a table of numbers.
func (w *world) relation(op string, r Relation) (*table, error) {
	n := r.arity()
	if r.Name == "" || n == 0 {
		return nil, model.Errorf(op, "a relation must have a name, and tuples or types, got the name %q", r.Name)
	}
	if w.tables[r.Name] != nil {
		return nil, model.Errorf(op, "relation names must be distinct, got %q twice", r.Name)
	}
	types := make([]int, n)
	for a := range types {
		name := ""
		if r.Types != nil {
			name = r.Types[a]
		}
		types[a] = w.typeNumber(name)
	}
	t := newTable(r.Name, types)
	for i, tuple := range r.Tuples {
		row, err := w.tuple(op, t, tuple)
		if err != nil {
			return nil, fmt.Errorf("tuple %d: %w", i, err)
		}
		t.add(row)
	}
	w.tables[r.Name] = t
	w.order = append(w.order, t)
	return t, nil
}

func (w *world) tuple(op string, t *table, tuple []string) ([]int32, error) {
	if len(tuple) != len(t.types) {
		return nil, model.Errorf(op, "%s%v must have %d arguments, got %d", t.name, tuple, len(t.types), len(tuple))
	}
	row := make([]int32, len(tuple))
	for a, name := range tuple {
		k, err := w.constant(op, name, t.types[a])
		if err != nil {
			return nil, err
		}
		row[a] = k
	}
	return row, nil
}
