package infer

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gokernel/gokernel/mlstd/internal/wallclock"
)

// Clash is a local time that a clock change skips or repeats.
type Clash struct {
	Row   int
	Sense wallclock.Sense
}

// shownRows is the number of rows that a note on clashes lists.
const shownRows = 5

// ClashNotes returns notes on local times that a clock change skips or repeats. The notes report
// the moments that were chosen for these times. The caller must put the name of the column before
// each note. The number of the first row is first.
func ClashNotes(clashes []Clash, zone *time.Location, first int) []string {
	var notes []string
	for _, c := range []struct {
		sense wallclock.Sense
		what  string
	}{
		{wallclock.Skipped, "that a clock change skips in %v (%s): moved forward by the length of the gap"},
		{wallclock.Repeated, "that a clock change repeats in %v (%s): read as the first of the two"},
	} {
		var rows []string
		count := 0
		for _, x := range clashes {
			if x.Sense != c.sense {
				continue
			}
			if count++; count <= shownRows {
				rows = append(rows, strconv.Itoa(x.Row+first))
			}
		}
		if count == 0 {
			continue
		}
		where, times := "row ", "1 local time "
		if count > 1 {
			where, times = "rows ", strconv.Itoa(count)+" local times "
		}
		where += strings.Join(rows, ", ")
		if count > shownRows {
			where += fmt.Sprintf(" and %d more", count-shownRows)
		}
		notes = append(notes, "has "+times+fmt.Sprintf(c.what, zone, where))
	}
	return notes
}
