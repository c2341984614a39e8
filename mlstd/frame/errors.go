package frame

import (
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/internal/similar"
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
	if near := similar.Nearest(name, names); near != "" {
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
