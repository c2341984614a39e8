package magic

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// SessionArguments parses the arguments of %session.
func SessionArguments(args string) (verb, file string, err error) {
	verb, file, _ = strings.Cut(strings.TrimSpace(args), " ")
	file = strings.Trim(strings.TrimSpace(file), "\"'`")
	switch {
	case verb == "save" && file == "":
		return "", "", errors.New("%session save: give the name of a file")
	case verb != "save" && verb != "restore":
		return "", "", errors.New("%session: write %session save FILE or %session restore [FILE]")
	}
	return verb, file, nil
}

// session saves the session. Restoring happens before the cell is checked.
func session(_ context.Context, c Call) error {
	verb, file, err := SessionArguments(c.Args)
	if err != nil || verb != "save" {
		return err
	}
	saved, err := c.Session.SaveSession(file)
	if err != nil {
		return fmt.Errorf("%%session save: %w", err)
	}
	c.Out.Stdout(fmt.Sprintf("wrote %s: %s\n", file, saved.Contents()))
	for _, l := range saved.Lost {
		c.Out.Stderr(fmt.Sprintf("not saved: %s: %s\n", l.Name, l.Why))
	}
	return nil
}
