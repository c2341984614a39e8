package mysql

import (
	"database/sql"
	"slices"
	"testing"
)

// TestNameIsFree is the case of a cell that imports the driver from source.
func TestNameIsFree(t *testing.T) {
	if slices.Contains(sql.Drivers(), "mysql") {
		t.Error("the name mysql is taken")
	}
}
