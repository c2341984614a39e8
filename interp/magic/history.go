package magic

import (
	"context"
	"os"
	"strings"

	"github.com/gokernel/gokernel/display"
)

// history prints the cells that have run.
func history(_ context.Context, c Call) error {
	for _, text := range c.Session.History() {
		c.Out.Stdout(strings.TrimRight(text, "\n") + "\n\n")
	}
	return nil
}

// arguments sets os.Args.
func arguments(_ context.Context, c Call) error {
	os.Args = append(os.Args[:1:1], words(c.Args)...)
	return nil
}

// javaScript returns a bundle with a script that runs in the output.
func javaScript(text string) display.Bundle {
	return display.Bundle{Data: map[string]any{"application/javascript": text, display.MIMEText: "<JavaScript>"}}
}
