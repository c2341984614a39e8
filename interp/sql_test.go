package interp_test

import (
	"context"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/kernel/evaluator"
)

// TestSQLCompletion completes tables, columns, parameters and the name of a database.
func TestSQLCompletion(t *testing.T) {
	s := engineCases[0].open(t)
	run := func(code string) {
		t.Helper()
		if _, err := s.Eval(context.Background(), evaluator.Cell{Code: code, Number: 1}, &recorder{}); err != nil {
			t.Fatal(err)
		}
	}
	run("shop := ml.Connect(`:memory:`)\nshop.Exec(\"create table fruit (name text, \\\"net weight\\\" real); create table farms (id int, owner text); create table [order] (id int)\")")
	run("least := 5; taxis := ml.ReadText(`fare,km\n1,2`)")
	for code, want := range map[string]string{
		"%%sql sh‸":                                   "shop",
		"%%sql shop heavy\nselect * from f‸":          "farms fruit",
		"%%sql shop\nselect * from FR‸":               "fruit",
		"%%sql shop\nselect n‸ from fruit":            `name "net weight"`,
		"%%sql shop\nselect f.n‸ from fruit as f":     `name "net weight"`,
		"%%sql shop\nselect fruit.‸ from fruit":       `name "net weight"`,
		"%%sql shop\nselect ow‸":                      "owner",
		"%%sql shop\nselect * from ‸":                 `"order" farms fruit`,
		"%%sql shop\nselect 1 where 2 > :l‸":          "least",
		"%%sql shop\nselect 1 where 2 > :‸":           "least",
		"%%sql shop\nselect x::t‸":                    "",
		"%%sql\nselect k‸ from taxis":                 "km",
		"%%sql\nselect * from t‸":                     "taxis",
		"%%sql shop\nselect id\nfrom farms\nwhere o‸": `owner "order"`,
	} {
		at := strings.Index(code, "‸")
		c, err := s.Complete(context.Background(), strings.Replace(code, "‸", "", 1), at)
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
	run("shop.Close()")
	if c, err := s.Complete(context.Background(), "%%sql shop\nselect * from f", 26); err != nil || len(c.Matches) != 0 {
		t.Errorf("a closed database completes %v, %v", c.Matches, err)
	}
}
