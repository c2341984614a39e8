package grading

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"go/ast"
	"go/parser"
	"regexp"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// drawn is a value of a homework that differs between students. A line of a locked cell declares
// it:
//
//	rows := 20 // VARIANT 15..40
//	color := "red" // VARIANT "red", "green", "blue"
type drawn struct {
	name  string
	value string // in the source
	// The choices: the texts of Go expressions, or the integers from low to high.
	choices   []string
	low, high int
}

var (
	variantLine   = regexp.MustCompile(`(?m)^([ \t]*(?:const |var )?[ \t]*(\pL[\pL\d_]*)(?:[ \t]+[\w.\[\]]+)?[ \t]*:?=[ \t]*)([^=\s].*?)([ \t]*//[ \t]*VARIANT\b[ \t]*(.*))$`)
	variantMark   = regexp.MustCompile(`//[ \t]*VARIANT\b`)
	variantRange  = regexp.MustCompile(`^(-?\d+)\.\.(-?\d+)$`)
	variantInText = regexp.MustCompile(`\{\{(\pL[\pL\d_]*)\}\}`)
)

// readDrawn reads the parts of a line that variantLine matches.
func readDrawn(parts []string) (d drawn, err error) {
	d = drawn{name: parts[2], value: parts[3]}
	choices := strings.TrimSpace(parts[5])
	if m := variantRange.FindStringSubmatch(choices); m != nil {
		var errLow, errHigh error
		d.low, errLow = strconv.Atoi(m[1])
		d.high, errHigh = strconv.Atoi(m[2])
		if errLow != nil || errHigh != nil || d.low >= d.high || d.high-d.low < 0 {
			return d, fmt.Errorf("the range of %s must go from a lower to a higher number, got %s", d.name, choices)
		}
		return d, nil
	}
	const before = "f("
	e, err := parser.ParseExpr(before + choices + ")")
	call, ok := e.(*ast.CallExpr)
	if err != nil || !ok || len(call.Args) < 2 {
		return d, fmt.Errorf("%s must have a range such as 3..9, or at least two values separated by commas, got %q", d.name, choices)
	}
	for _, a := range call.Args {
		d.choices = append(d.choices, choices[int(a.Pos())-1-len(before):int(a.End())-1-len(before)])
	}
	return d, nil
}

// draw returns the value of a student. It depends only on the names of the student, in upper or
// lower case, and of the value, so that the grader finds it again.
func (d drawn) draw(student string) string {
	sum := sha256.Sum256([]byte(strings.ToLower(student) + "\x00" + d.name))
	at := binary.BigEndian.Uint64(sum[:])
	if d.choices == nil {
		return strconv.Itoa(d.low + int(at%uint64(d.high-d.low+1)))
	}
	return d.choices[at%uint64(len(d.choices))]
}

// HasVariants reports whether the values of a source differ between students.
func HasVariants(source *notebook.Notebook) bool {
	for _, c := range source.Cells {
		if c.Type == notebook.Code && variantLine.MatchString(c.Source) {
			return true
		}
	}
	return false
}

// Variant returns the source for one student: with the values drawn for the student, in code and
// where Markdown names them, as in {{rows}}. The key is equal for students with equal values.
// Without a student, the values stay as they are in the source.
func Variant(source *notebook.Notebook, student string) (nb *notebook.Notebook, key string, err error) {
	if nb, err = clone(source); err != nil {
		return nil, "", err
	}
	values := map[string]string{}
	var list []string
	for _, c := range nb.Cells {
		if c.Type != notebook.Code {
			continue
		}
		c.Source = variantLine.ReplaceAllStringFunc(c.Source, func(line string) string {
			parts := variantLine.FindStringSubmatch(line)
			d, wrong := readDrawn(parts)
			if wrong != nil {
				err = fmt.Errorf("cell %s: %w", c.ID, wrong)
				return line
			}
			value := d.value
			if student != "" {
				value = d.draw(student)
			}
			values[d.name] = value
			list = append(list, d.name+" = "+value)
			return parts[1] + value
		})
	}
	for _, c := range nb.Cells {
		if c.Type == notebook.Markdown {
			c.Source = variantInText.ReplaceAllStringFunc(c.Source, func(text string) string {
				value, ok := values[variantInText.FindStringSubmatch(text)[1]]
				if !ok {
					return text
				}
				if plain, err := strconv.Unquote(value); err == nil {
					return plain
				}
				return value
			})
		}
	}
	return nb, strings.Join(list, ", "), err
}

// checkVariants finds problems of the lines of a cell that declare values of variants.
func checkVariants(c *notebook.Cell, m mark, seen map[string]bool) (problems []string) {
	if c.Type != notebook.Code {
		return nil
	}
	marks := len(variantMark.FindAllString(c.Source, -1))
	lines := variantLine.FindAllStringSubmatch(c.Source, -1)
	if marks > len(lines) {
		problems = append(problems, "a line with VARIANT must give a name its value, such as rows := 20 // VARIANT 15..40")
	}
	if len(lines) > 0 && m.role != locked {
		problems = append(problems, "a line with VARIANT must be in a locked cell: in other cells, students could change the value")
	}
	for _, parts := range lines {
		d, err := readDrawn(parts)
		if err != nil {
			problems = append(problems, err.Error())
		}
		if seen[d.name] {
			problems = append(problems, fmt.Sprintf("%s must have one line with VARIANT, got two", d.name))
		}
		seen[d.name] = true
	}
	return problems
}

// OtherVariant returns whose variant a submission has: the first of the students whose values the
// submission's locked cells have, if they are not the student's own.
func OtherVariant(source, submitted *notebook.Notebook, student string, students []string) string {
	have := map[string]string{}
	for _, c := range submitted.Cells {
		if id := markOf(c).id; id != "" {
			have[id] = strings.TrimSpace(c.Source)
		}
	}
	has := func(student string) bool {
		nb, _, err := Variant(source, student)
		if err != nil {
			return false
		}
		for i, c := range source.Cells {
			if c.Type == notebook.Code && variantLine.MatchString(c.Source) && have[markOf(c).id] != strings.TrimSpace(nb.Cells[i].Source) {
				return false
			}
		}
		return true
	}
	if !HasVariants(source) || has(student) {
		return ""
	}
	for _, s := range students {
		if s != student && has(s) {
			return s
		}
	}
	return ""
}
