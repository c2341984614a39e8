package magic

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/internal/wholefile"
)

// savedBy marks the files that %save has written, and may overwrite.
const savedBy = "Written by %save"

// save writes cells as a Go program.
func save(ctx context.Context, c Call) error {
	a, err := saveArguments(c.Args)
	if err != nil {
		return fmt.Errorf("%%save: %w", err)
	}
	old, err := os.ReadFile(a.file)
	if err == nil && !a.force && !strings.HasPrefix(string(old), "// "+savedBy) {
		return fmt.Errorf("%%save: %s exists, and %%save has not written it: choose another name, or write %%save -f", a.file)
	}
	text, notes, err := c.Session.Program(ctx, savedBy+".", a.pkg, a.wants)
	if err == nil {
		err = a.missing()
	}
	if err != nil {
		return fmt.Errorf("%%save: %w", err)
	}
	if err := wholefile.Write(a.file, text); err != nil {
		return fmt.Errorf("%%save: %w", err)
	}
	c.Out.Stdout("wrote " + a.file + "\n")
	for _, n := range notes {
		c.Out.Stderr("note: " + n + "\n")
	}
	return nil
}

// saving contains the arguments of %save.
type saving struct {
	file, pkg string
	force     bool
	ranges    []cellRange
}

// cellRange is a range of cell numbers.
type cellRange struct {
	first, last int
	found       bool // whether a cell of the range has run
}

func saveArguments(args string) (*saving, error) {
	a := &saving{pkg: "main"}
	words := strings.Fields(args)
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case w == "-f":
			a.force = true
		case w == "-package" || w == "--package":
			if i++; i == len(words) || !token.IsIdentifier(words[i]) {
				return nil, errors.New("--package needs the name of a package")
			}
			a.pkg = words[i]
		case strings.HasPrefix(w, "-"):
			return nil, fmt.Errorf("%q is not an option: use -f or --package NAME", w)
		case a.file == "":
			if a.file = strings.Trim(w, `"'`); filepath.Ext(a.file) != ".go" {
				return nil, fmt.Errorf("the name of the file must end in .go, and %s does not", a.file)
			}
		default:
			if err := a.addRanges(w); err != nil {
				return nil, err
			}
		}
	}
	if a.file == "" {
		return nil, errors.New("give a file and the numbers of cells, such as %save stats.go 3-7")
	}
	return a, nil
}

// addRanges parses numbers and ranges separated by commas.
func (a *saving) addRanges(text string) error {
	for part := range strings.SplitSeq(strings.Trim(text, ","), ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		first, err1 := strconv.Atoi(from)
		last, err2 := strconv.Atoi(to)
		if err1 != nil || err2 != nil || first < 1 || last < first {
			return fmt.Errorf("%q is neither the number of a cell nor a range such as 3-7", part)
		}
		a.ranges = append(a.ranges, cellRange{first: first, last: last})
	}
	return nil
}

// wants reports whether to write the cell with a number. Without numbers, it reports true for every
// cell.
func (a *saving) wants(number int) bool {
	wanted := len(a.ranges) == 0
	for i := range a.ranges {
		if r := &a.ranges[i]; r.first <= number && number <= r.last {
			r.found, wanted = true, true
		}
	}
	return wanted
}

// missing returns an error for numbers without a cell.
func (a *saving) missing() error {
	for _, r := range a.ranges {
		switch {
		case r.found:
		case r.first == r.last:
			return fmt.Errorf("no cell [%d] has run without an error", r.first)
		default:
			return fmt.Errorf("none of the cells [%d] to [%d] has run without an error", r.first, r.last)
		}
	}
	return nil
}
