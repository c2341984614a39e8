//go:build engines

package score_test

import (
	"os"
	"testing"

	"github.com/gokernel/gokernel/mlstd/frame/database"
)

func TestSpark(t *testing.T) {
	address := os.Getenv("SPARK_REMOTE")
	if address == "" {
		t.Fatal("SPARK_REMOTE must be the address of a Spark server: run make engines, which starts one")
	}
	db, err := database.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	defer db.Exec("drop table if exists customers")
	inDatabase(t, db)
}
