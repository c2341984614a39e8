//go:build linux

package score_test

import (
	"os"
	"testing"

	"github.com/gokernel/gokernel/mlstd/frame/database"
	"github.com/gokernel/gokernel/mlstd/internal/dbms/dbmstest"
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
		})
	}
}
