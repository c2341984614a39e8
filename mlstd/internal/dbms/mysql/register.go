//go:build !js

package mysql

import (
	"database/sql/driver"
	_ "unsafe" // for go:linkname
)

// drivers are the registered drivers of database/sql, which keeps the name reachable.
//
//go:linkname drivers database/sql.drivers
var drivers map[string]driver.Driver

// A cell that imports go-sql-driver/mysql loads the module from source and registers it. The name
// must still be free then, because a second registration panics.
func init() { delete(drivers, "mysql") }
