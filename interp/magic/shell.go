package magic

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"time"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/internal/wholefile"
)

func shell(ctx context.Context, c Call) error {
	if c.Args == "" {
		return errors.New("!: give a command, such as !ls")
	}
	if runtime.GOOS == "js" {
		return fmt.Errorf("!: %s", inBrowser)
	}
	c.Args = interpolate(c.Args, c.Session.ValueText)
	if runtime.GOOS == "windows" {
		return run(ctx, c, "cmd", "/C", c.Args)
	}
	return run(ctx, c, "sh", "-c", c.Args)
}

// inBrowser explains why the kernel of a web page runs no commands.
const inBrowser = `a browser starts no programs; list files with os.ReadDir(".") and read one with os.ReadFile("data.csv")`

func bash(ctx context.Context, c Call) error {
	if runtime.GOOS == "js" {
		return fmt.Errorf("%%%%bash: %s", inBrowser)
	}
	if _, err := exec.LookPath("bash"); err != nil {
		return errors.New("%%bash: there is no bash on this machine")
	}
	return run(ctx, c, "bash", "-c", c.Body)
}

// notFound is the exit status of a shell that can't find the command.
const notFound = 127

// waitDelay is how long a stopped command's children may keep its output open.
const waitDelay = 500 * time.Millisecond

// run runs a command with its output in the cell. When the context ends, it stops the command.
func run(ctx context.Context, c Call, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdout = writer(c.Out.Stdout)
	cmd.Stderr = writer(c.Out.Stderr)
	cmd.WaitDelay = waitDelay
	ownGroup(cmd)
	err := cmd.Run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if exit.ExitCode() == notFound {
			return fmt.Errorf("the command ended with %s: check its name, or install it", exit.ProcessState)
		}
		return fmt.Errorf("the command ended with %s", exit.ProcessState)
	}
	return err
}

type writer func(string)

func (w writer) Write(b []byte) (int, error) {
	w(string(b))
	return len(b), nil
}

var _ io.Writer = writer(nil)

func cd(_ context.Context, c Call) error {
	dir := strings.Trim(c.Args, `"'`)
	home, err := os.UserHomeDir()
	if dir == "" || dir == "~" || strings.HasPrefix(dir, "~/") {
		if err != nil {
			return fmt.Errorf("%%cd: %w", err)
		}
		dir = filepath.Join(home, strings.TrimPrefix(dir, "~"))
	}
	if err := os.Chdir(dir); err != nil {
		return fmt.Errorf("%%cd: %w", err)
	}
	wd, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("%%cd: %w", err)
	}
	c.Out.Stdout(wd + "\n")
	return nil
}

func env(_ context.Context, c Call) error {
	name, val, set := strings.Cut(c.Args, "=")
	if !set {
		name, val, set = strings.Cut(c.Args, " ")
	}
	name = strings.TrimSpace(name)
	switch {
	case set:
		if err := os.Setenv(name, strings.Trim(strings.TrimSpace(val), `"'`)); err != nil {
			return fmt.Errorf("%%env: %w", err)
		}
	case name != "":
		v, ok := os.LookupEnv(name)
		if !ok {
			return fmt.Errorf("%%env: %s is not set", name)
		}
		c.Out.Stdout(v + "\n")
	default:
		all := os.Environ()
		sort.Strings(all)
		c.Out.Stdout(strings.Join(all, "\n") + "\n")
	}
	return nil
}

func load(_ context.Context, c Call) error {
	if c.Args == "" {
		return errors.New("%load: give a file")
	}
	b, err := os.ReadFile(strings.Trim(c.Args, `"'`))
	if err != nil {
		return fmt.Errorf("%%load: %w", err)
	}
	return c.Out.SetNextInput(strings.TrimRight(string(b), "\n"), false)
}

func writeFile(_ context.Context, c Call) error {
	name, done, write := c.Args, "wrote", wholefile.Write
	if rest, ok := strings.CutPrefix(name, "-a "); ok {
		name, done, write = strings.TrimSpace(rest), "appended to", appendTo
	}
	name = strings.Trim(name, `"'`)
	if name == "" {
		return errors.New("%%writefile: give a file")
	}
	body := c.Body
	if body != "" && !strings.HasSuffix(body, "\n") {
		body += "\n"
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return fmt.Errorf("%%%%writefile: %w", err)
	}
	if err := write(name, []byte(body)); err != nil {
		return fmt.Errorf("%%%%writefile: %w", err)
	}
	c.Out.Stdout(done + " " + name + "\n")
	return nil
}

func appendTo(name string, b []byte) error {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	return errors.Join(err, f.Close())
}

func svg(_ context.Context, c Call) error {
	if !strings.Contains(c.Body, "<svg") {
		return errors.New("%%svg: the cell has no <svg> element")
	}
	return c.Out.Display(display.SVG(c.Body))
}

// text returns a magic that shows the cell with one of display's functions.
func text(show func(string) display.Bundle) func(context.Context, Call) error {
	return func(_ context.Context, c Call) error { return c.Out.Display(show(c.Body)) }
}
