package table

import (
	"fmt"
	"testing"
)

// Distinct values are counted, and the most common one is found, also among more than a thousand
// values.
func TestDescribeManyDistinct(t *testing.T) {
	name := func(i int) cell {
		if i >= 4000 {
			return cell{text: "late"}
		}
		return cell{text: fmt.Sprint("n", i)}
	}
	if s := summarize(column{n: 5000, at: name}); s.distinct != 4001 || s.commonest != "late (1000)" {
		t.Errorf("names: %d distinct, the commonest %s; want 4001 and late (1000)", s.distinct, s.commonest)
	}
	if s := summarize(column{n: 5000, at: func(i int) cell { return numberCell(float64(i%3000) / 7) }}); s.distinct != 3000 {
		t.Errorf("numbers: %d distinct, want 3000", s.distinct)
	}
}
