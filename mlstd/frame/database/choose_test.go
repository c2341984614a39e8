//go:build linux

package database_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/frame/database"
	"github.com/gokernel/gokernel/mlstd/frame/lazy"
	_ "github.com/gokernel/gokernel/mlstd/internal/stream" // computes expressions for frames in memory
)

// TestLazyChoices compares the operations that choose values in databases and in memory.
func TestLazyChoices(t *testing.T) {
	engines(t, func(t *testing.T, kind string, db *database.DB) {
		f, _ := rides(t)
		f = f.With("power", f.Col("fare").Times(f.Col("fare")).Times(f.Col("km")).Times(5))
		if err := db.Replace("lazy_choices", f); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { exec(t, db, "drop table lazy_choices") })
		r, err := db.Table("lazy_choices")
		if err != nil {
			t.Fatal(err)
		}
		km, fare, zone, power := r.Col("km"), r.Col("fare"), r.Col("zone"), r.Col("power")
		lit := lazy.Literal
		sum := lazy.Sum(fare, km.Float(), fare.Times(0.5), lit(-2.5))
		score := lazy.Sum(lazy.Case(sum.Greater(0), sum, sum.Over(2)), sum)
		for name, c := range map[string]*lazy.Column{
			"strings":    km.Greater(3).If("much", `a "little" \ '`),
			"mixed":      fare.Greater(4).If(km, 0.5),
			"null":       km.Greater(3).If(zone, nil),
			"times":      fare.Greater(4).If(r.Col("at"), nil),
			"case":       lazy.Case(zone.Equal("Mitte"), lit(1.5), lazy.In(zone, []string{"mitte", "", `O'Hare \ "x"`}), km, lit(-1.0)),
			"exp":        power.Exp(),
			"log":        power.Log(),
			"log of int": km.Log(),
			"shared":     score.Times(score),
			"masks":      score.Greater(0).If(lazy.In(zone, []string{"z"}), r.Col("id").Less(90)).And(lazy.Function("exp", fare).Less(9)).If("yes", "no"),
		} {
			t.Run(name, func(t *testing.T) {
				q := r.With("out", c).Sort("id")
				got, err := q.Collect()
				if err != nil {
					text, _ := q.SQL()
					t.Fatalf("%v\n%s", err, text)
				}
				equal(t, kind, got.Select("id", "out"), f.With("out", c).Select("id", "out").Sort("id"))
			})
		}
		if got, err := r.Where(score.Greater(3)).Collect(); err != nil || got.Len() != f.Where(score.Greater(3)).Len() || got.Len() == 0 {
			t.Errorf("got %d rows (%v), want %d", got.Len(), err, f.Where(score.Greater(3)).Len())
		}
	})
}

// TestFloatLiterals checks that a database reads the literals of statements as the same numbers.
func TestFloatLiterals(t *testing.T) {
	engines(t, func(t *testing.T, kind string, db *database.DB) {
		f, err := frame.New(frame.IntColumn("id", []int64{1}))
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Replace("lazy_literals", f); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { exec(t, db, "drop table lazy_literals") })
		var values []float64
		for i := range 300 {
			x := math.Ldexp(1+math.Mod(float64(i)*math.Phi, 1), i*3%400-200)
			values = append(values, x, -x*math.Pi, float64(i)/10, float64(i*i)+0.05)
		}
		values = append(values, math.MaxFloat64, 0x1p-1022, 1e23, 9007199254740993, 0.1, 1e-5, 123456789.123456789)
		for from := 0; from < len(values); from += 30 {
			q, err := db.Table("lazy_literals")
			if err != nil {
				t.Fatal(err)
			}
			part := values[from:min(from+30, len(values))]
			for j, x := range part {
				q = q.With("x"+strconv.Itoa(j), lazy.Literal(x))
			}
			got, err := q.Collect()
			if err != nil {
				t.Fatal(err)
			}
			for j, x := range part {
				if y := got.Col("x" + strconv.Itoa(j)).At(0); y != x {
					t.Errorf("%b arrived as %v, want %v", x, y, x)
				}
			}
		}
	})
}
