package grading

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// Rehearsed counts the answers of generated submissions by kind.
type Rehearsed struct {
	Right   int // the solution of the source
	Changed int // the solution with one operator replaced
	Missing int // as in the student version
}

// Add adds the counts of another submission.
func (r *Rehearsed) Add(other Rehearsed) {
	r.Right += other.Right
	r.Changed += other.Changed
	r.Missing += other.Missing
}

// Rehearse generates a submission to a source, for a rehearsal of the grading. An answer is the
// solution, or the solution with one operator replaced, or it is missing. The student knows from
// three tenths to all of the answers. The student's name and the seed determine everything.
func Rehearse(source *notebook.Notebook, student string, seed uint64) (*notebook.Notebook, Rehearsed, error) {
	var n Rehearsed
	own, _, err := Variant(source, student)
	if err != nil {
		return nil, n, err
	}
	nb, err := Release(own)
	if err != nil {
		return nil, n, err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", strings.ToLower(student), seed))
	rng := rand.New(rand.NewPCG(binary.BigEndian.Uint64(sum[:]), binary.BigEndian.Uint64(sum[8:])))
	known := 0.3 + 0.7*rng.Float64()
	for i, c := range nb.Cells {
		if m := markOf(own.Cells[i]); m.role != answer && m.role != manual {
			continue
		}
		text := withoutRubric(withoutMarks(own.Cells[i]).Source)
		switch u := rng.Float64(); {
		case u < known:
			c.Source = text
			n.Right++
		case u < (1+known)/2 && c.Type == notebook.Code && changeOperator(&text, rng):
			c.Source = text
			n.Changed++
		default:
			n.Missing++
		}
	}
	return nb, n, nil
}

// withoutRubric returns a solution up to its rubric.
func withoutRubric(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if rubricHead().MatchString(strings.TrimSpace(line)) {
			break
		}
		out.WriteString(line)
	}
	return strings.TrimRight(out.String(), "\n")
}

// otherOperator maps an operator to one with operands and a result of the same types.
var otherOperator = map[token.Token]token.Token{
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL,
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
}

// changeOperator replaces one operator in the code of a cell, chosen at random. It reports whether
// there is an operator.
func changeOperator(src *string, rng *rand.Rand) bool {
	const before, around = "package p\n", "package p\nfunc _() {\n"
	shift, after := len(before), ""
	file, err := parser.ParseFile(token.NewFileSet(), "", before+*src, parser.SkipObjectResolution)
	if err != nil {
		shift, after = len(around), "\n}"
		if file, err = parser.ParseFile(token.NewFileSet(), "", around+*src+after, parser.SkipObjectResolution); err != nil {
			return false
		}
	}
	var found []*ast.BinaryExpr
	ast.Inspect(file, func(n ast.Node) bool {
		// A string can't be subtracted.
		if b, ok := n.(*ast.BinaryExpr); ok && otherOperator[b.Op] != token.ILLEGAL && !isString(b.X) && !isString(b.Y) {
			found = append(found, b)
		}
		return true
	})
	if len(found) == 0 {
		return false
	}
	b := found[rng.IntN(len(found))]
	at := int(b.OpPos) - 1 - shift
	*src = (*src)[:at] + otherOperator[b.Op].String() + (*src)[at+len(b.Op.String()):]
	return true
}

func isString(e ast.Expr) bool {
	lit, ok := e.(*ast.BasicLit)
	return ok && lit.Kind == token.STRING
}
