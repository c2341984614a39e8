package magic

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gokernel/gokernel/display"
)

// Module is a module of a package of the session.
type Module struct{ Path, Version, From, Dir string }

// MIMEModules is the MIME type of the module versions that a notebook should record, as %mod -json
// shows them.
const MIMEModules = "application/vnd.gokernel.modules+json"

// mod shows the modules of the imported packages.
func mod(_ context.Context, c Call) error {
	switch c.Args {
	case "", "-all":
	case "-json":
		kept := c.Session.KeptModules()
		if len(kept) == 0 {
			return nil
		}
		return c.Out.Display(display.Bundle{Data: map[string]any{MIMEModules: json.RawMessage(kept), display.MIMEText: string(kept)}})
	default:
		return fmt.Errorf("%%mod: %q is not an option: use -all to list all required modules, or -json to print the versions to keep", c.Args)
	}
	list, err := c.Session.Modules(c.Args == "-all")
	if err != nil {
		return err
	}
	if len(list) == 0 {
		c.Out.Stdout("no package comes from a module; import one by its path\n")
		return nil
	}
	rows := [][]string{{"module", "version", "from", "folder"}}
	for _, m := range list {
		rows = append(rows, []string{m.Path, m.Version, m.From, m.Dir})
	}
	return c.Out.Display(rowsTable(rows))
}

// ErrNoQuery explains the syntax of %get.
var ErrNoQuery = errors.New("%get: give a module or package and a version, such as %get github.com/google/uuid@v1.6.0")
