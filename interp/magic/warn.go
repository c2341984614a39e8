package magic

import (
	"context"
	"fmt"
)

func warn(_ context.Context, c Call) error {
	switch c.Args {
	case "":
		state := "off"
		if c.Session.Warnings() {
			state = "on"
		}
		c.Out.Stdout("warnings are " + state + "\n")
	case "on", "off":
		c.Session.SetWarnings(c.Args == "on")
	default:
		return fmt.Errorf("%%warn: the argument must be on or off, got %q", c.Args)
	}
	return nil
}
