package frame

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/mlstd/model"
)

// misuse panics with an error about a call.
func misuse(op, hint, format string, args ...any) {
	panic(model.Errorf(op, format, args...).WithHint("%s", hint))
}

// shownNames is how many names of columns an error lists.
const shownNames = 12

// noColumn returns the error for an unknown column name.
func (f *Frame) noColumn(op, name string) *model.Error {
	e := model.Errorf(op, "there is no column %q", name)
	names := f.Names()
	if len(names) == 0 {
		return e.WithHint("add a column first: the frame has none")
	}
	if near := nearest(name, names); near != "" {
		return e.WithHint("did you mean %q? The columns are %s", near, list(names))
	}
	return e.WithHint("the columns are %s", list(names))
}

// list writes names in quotes; if there are many, only the first.
func list(names []string) string {
	q := make([]string, 0, shownNames+1)
	for i, s := range names {
		if i == shownNames {
			q = append(q, strconv.Itoa(len(names)-i)+" more")
			break
		}
		q = append(q, strconv.Quote(s))
	}
	return strings.Join(q, ", ")
}

// nearest returns the name that is most similar to the wanted one, or "" if none is similar.
func nearest(want string, names []string) string {
	type near struct {
		name string
		d    int
	}
	var all []near
	for _, s := range names {
		d := editDistance(strings.ToLower(want), strings.ToLower(s))
		if 3*d <= max(len(want), len(s)) {
			all = append(all, near{s, d})
		}
	}
	if len(all) == 0 {
		return ""
	}
	return slices.MinFunc(all, func(a, b near) int { return cmp.Compare(a.d, b.d) }).name
}

// editDistance returns the number of letters to insert, delete or change to turn a into b.
func editDistance(a, b string) int {
	x, y := []rune(a), []rune(b)
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j := range y {
			change := diagonal
			if x[i] != y[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(y)]
}
