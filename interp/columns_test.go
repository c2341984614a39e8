package interp_test

import (
	"context"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/kernel/evaluator"
)

// TestColumnCompletion completes the column names of a frame.
func TestColumnCompletion(t *testing.T) {
	for _, e := range engineCases {
		t.Run(e.name, func(t *testing.T) {
			s := e.open(t)
			code := `rides := ml.FromRows(map[string]any{"fare": []float64{1}, "far": []float64{1}, "zone": []string{"a"}}); xs := []int{1}; var none *ml.Frame`
			if _, err := s.Eval(context.Background(), evaluator.Cell{Code: code, Number: 1}, &recorder{}); err != nil {
				t.Fatal(err)
			}
			for code, want := range map[string]string{
				`rides["‸`:            "far fare zone",
				`rides["fa‸"] + 1`:    "far fare",
				`x := 2 * (rides["z‸`: "zone",
				`rides.Where(rides["fare"] > 2).Select("fa‸`: "far fare",
				`rides.Select("fare", "z‸`:                   "zone",
				`rides.Sort("-z‸`:                            "-zone",
				`Scatter(rides, "fare", "z‸`:                 "zone",
				`Scatter(rides, "fare", "far").By("zo‸`:      "zone",
				`xs["‸`:      "",
				`none["‸`:    "",
				`nowhere["‸`: "",
				`"‸`:         "",
			} {
				at := strings.Index(code, "‸")
				text := strings.Replace(code, "‸", "", 1)
				c, err := s.Complete(context.Background(), text, at)
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for _, m := range c.Matches {
					got = append(got, m.Text)
				}
				if strings.Join(got, " ") != want {
					t.Errorf("%s: %q, want %q", code, got, want)
				}
			}
		})
	}
}
