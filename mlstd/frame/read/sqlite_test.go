package read

import (
	"compress/gzip"
	"database/sql"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/gokernel/gokernel/mlstd/frame"
)

func TestSQLite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("create table t (a integer, b text); insert into t values (1, 'y'), (2, 'x')"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := os.Create(path + ".gz")
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(out)
	io.Copy(z, in)
	z.Close()
	out.Close()
	for _, name := range []string{path, path + ".gz"} {
		f, err := Read(name, Format{Kinds: map[string]frame.Kind{"b": frame.CategoryKind}, Columns: []string{"b", "a"}})
		if err != nil || show(f) != "a int64: 1 2\nb category: y x\n" {
			t.Errorf("%s: %v %v", name, f, err)
		}
	}
	if _, err := Read(path, Format{Table: "u"}); err == nil {
		t.Error("no error for a table that is not there")
	}
}
