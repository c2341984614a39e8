//go:build linux

package score_test

import (
	"math"
	"os"
	"testing"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/ensemble"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/frame/database"
	"github.com/gokernel/gokernel/mlstd/internal/dbms/dbmstest"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/prep"
	"github.com/gokernel/gokernel/mlstd/score"
	"github.com/gokernel/gokernel/mlstd/tree"
)

func TestServers(t *testing.T) {
	os.Unsetenv("PGPASSWORD")
	os.Unsetenv("MYSQL_PWD")
	for name, start := range map[string]func() (*dbmstest.Server, error){"postgres": dbmstest.Postgres, "mariadb": dbmstest.MariaDB} {
		t.Run(name, func(t *testing.T) {
			server, err := start()
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := server.Stop(); err != nil {
					t.Error(err)
				}
			}()
			db, err := database.Connect(server.Address)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			inDatabase(t, db)
			otherTypes(t, db)
		})
	}
}

// otherTypes predicts from columns of types that frames do not have: decimals, short integers and
// floats, and strings of fixed length.
func otherTypes(t *testing.T, db *database.DB) {
	_, err := db.Exec(`create table parcels (id int, weight numeric(8,3), height real, floors smallint, zone char(3), late int);
		insert into parcels values (1, 0.125, 0.125, 3, 'abc', 1), (2, 7.3, 0.375, 1, 'b', 0), (3, 2.65, 1.75, 2, 'abc', 1),
		(4, 11.1, 2.875, 9, 'b', 0), (5, 3.05, 0.75, 4, 'b', 1), (6, 9.99, 1.125, 5, 'abc', 0), (7, null, 0.25, 3, 'b', null)`)
	if err != nil {
		t.Fatal(err)
	}
	table, err := db.Table("parcels")
	if err != nil {
		t.Fatal(err)
	}
	f, err := table.Sort("id").Collect()
	if err != nil {
		t.Fatal(err)
	}
	known := f.DropMissing()
	for name, features := range map[string][]string{"numbers": {"weight", "height", "floors"}, "all": {"weight", "height", "floors", "zone"}} {
		for _, m := range []model.Regressor{
			&linear.Ridge{},
			&tree.RegressionTree{},
			&ensemble.GradientBoostingRegressor{Rounds: 20},
		} {
			var end any = m
			if name == "all" {
				end = eval.PipeRegressor(&prep.OneHotEncoder{}, m)
			}
			data.FitTo(end, known.Dataset("late", features...))
			got, err := table.With("p", score.Predict(end)).Sort("id").Select("p").Collect()
			if err != nil {
				t.Fatal(err)
			}
			want := f.With("p", score.Predict(end)).Col("p")
			for i := range f.Len() {
				x, y := got.Col("p").At(i), want.At(i)
				v, ok := x.(float64)
				w, also := y.(float64)
				if ok != also || ok && math.Abs(v-w) > 1e-12*math.Max(1, math.Abs(w)) {
					t.Errorf("%T of %s, row %d: got %v, want %v", m, name, i, x, y)
				}
			}
		}
	}
}
