//go:build !js

package sqlite

import (
	"slices"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/model"
)

// ReadTable reads a table or view from a SQLite file; name can be "" if the file has only one.
func ReadTable(path, name string) (*frame.Frame, error) {
	run := (&model.Control{}).Begin("reading", 0)
	defer run.End()
	c, err := connect(nil, "")
	if err != nil {
		return nil, err
	}
	defer c.close()
	if err := c.attach(run.Context(), path); err != nil {
		return nil, err
	}
	all, err := c.ask(run.Context(), "select name from pragma_table_list where type in ('table', 'view') and schema <> 'temp' and schema <> 'main' and name not like 'sqlite\\_%' escape '\\' order by name", nil)
	if err != nil {
		return nil, err
	}
	names := all.Col("name").Strings()
	if name == "" {
		if len(names) != 1 {
			return nil, model.Errorf("Read", "Table must be set, since the file has %d tables", len(names)).WithHint("set Table to one of %q", names)
		}
		name = names[0]
	}
	if !slices.Contains(names, name) {
		return nil, model.Errorf("Read", "there is no table %q in the file", name).WithHint("set Table to one of %q", names)
	}
	return c.ask(run.Context(), "select * from "+quote(name), nil)
}
