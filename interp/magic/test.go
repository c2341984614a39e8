package magic

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gokernel/gokernel/interp/tests"
)

// test runs the tests of the session. The cell fails if one of them fails.
func test(ctx context.Context, c Call) error {
	declared := c.Session.CellPackages()
	flags, path, verbose, err := testFlags(c.Args, func(arg string) bool {
		return strings.ContainsAny(arg, "./") || slices.Contains(declared, arg)
	})
	if err != nil {
		return err
	}
	var set *tests.Set
	if path != "" {
		set, err = c.Session.PackageTests(ctx, path, c.Out)
	} else {
		set, err = c.Session.Tests()
	}
	if err != nil {
		return err
	}
	if set.Empty() && path != "" {
		return fmt.Errorf("%%test: package %s has no test", path)
	}
	if set.Empty() && len(declared) > 0 {
		return fmt.Errorf("%%test: no cell declares a test, except in a package; to run the tests of package %s, use %%test %[1]s", declared[0])
	}
	if set.Empty() {
		return errors.New("%test: there is no test: declare func TestX(t *testing.T) in this cell or another")
	}
	list, err := tests.Run(ctx, set, flags, func(list []tests.Result, late *tests.Timeout) {
		if len(list) > 0 {
			if err := c.Out.Display(tests.Show(list, verbose)); err != nil {
				c.Out.Stderr(err.Error() + "\n")
			}
		}
		c.Session.Stop(late)
	})
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return fmt.Errorf("%%test: no test matches the pattern or name; the tests and benchmarks are %s", strings.Join(set.Names(), " "))
	}
	if err := c.Out.Display(tests.Show(list, verbose)); err != nil {
		return err
	}
	if failed := tests.Failed(list); len(failed) > 0 {
		return fmt.Errorf("%d of %d tests failed: %s", len(failed), tests.Count(list), strings.Join(failed, ", "))
	}
	if left := benchmarks(set); path == "" && flags["run"] == "" && flags["bench"] == "" && len(left) > 0 {
		c.Out.Stdout("not run: " + strings.Join(left, ", ") + "; %test -bench . measures benchmarks\n")
	}
	return nil
}

// benchmarks returns the names of the benchmarks of a set.
func benchmarks(set *tests.Set) []string {
	return slices.DeleteFunc(set.Names(), func(name string) bool { return !strings.HasPrefix(name, "Benchmark") })
}

// testFlags parses the arguments of %test: flags of go test, the path of a package, and names of
// tests.
func testFlags(text string, isPath func(arg string) bool) (_ tests.Flags, path string, verbose bool, _ error) {
	if !utf8.ValidString(text) {
		return nil, "", false, fmt.Errorf("%%test: %q has bytes that are not UTF-8", text)
	}
	fs := flag.NewFlagSet("%test", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.String("run", "", "")
	fs.String("skip", "", "")
	fs.String("bench", "", "")
	fs.String("benchtime", "", "")
	fs.String("count", "", "")
	fs.Bool("benchmem", false, "")
	fs.Bool("short", false, "")
	fs.Bool("failfast", false, "")
	timeout := fs.Duration("timeout", 0, "")
	fs.BoolVar(&verbose, "v", false, "")
	var names []string
	err := fs.Parse(words(text))
	for err == nil && fs.NArg() > 0 {
		switch arg := fs.Arg(0); {
		case !isPath(arg):
			names = append(names, arg)
		case path != "" || strings.HasSuffix(arg, "..."):
			return nil, "", false, errors.New("%test: give the path of one package")
		default:
			path = arg
		}
		err = fs.Parse(fs.Args()[1:])
	}
	if err != nil {
		return nil, "", false, fmt.Errorf("%%test: %w; the flags are -run RE, -skip RE, -bench RE, -benchtime 1s or 100x, -benchmem, -count N, -short, -failfast, -timeout 30s, -v", err)
	}
	if *timeout < 0 {
		return nil, "", false, fmt.Errorf("%%test: -timeout must not be negative, got %v", *timeout)
	}
	flags := tests.Flags{}
	fs.Visit(func(f *flag.Flag) { flags[f.Name] = f.Value.String() })
	delete(flags, "v") // -v applies to the table of results
	for _, name := range []string{"run", "skip", "bench"} {
		for _, part := range strings.Split(flags[name], "/") {
			if _, err := regexp.Compile(part); err != nil {
				return nil, "", false, fmt.Errorf("%%test -%s: %w", name, err)
			}
		}
	}
	if len(names) > 0 {
		if flags["run"] != "" {
			return nil, "", false, errors.New("%test: give names of tests or -run, not both")
		}
		named := "^(" + strings.Join(quoted(names), "|") + ")$"
		flags["run"] = named
		if slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, "Benchmark") }) {
			flags["bench"] = named
		}
	} else if flags["bench"] != "" && flags["run"] == "" {
		flags["run"] = "^$" // run only benchmarks, as the tests have run before
	}
	return flags, path, verbose, nil
}

func quoted(names []string) []string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = regexp.QuoteMeta(n)
	}
	return list
}

// words splits a line at spaces outside of quotes.
func words(text string) []string {
	var list []string
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		end := strings.IndexByte(text, ' ')
		if q := text[0]; (q == '\'' || q == '"' || q == '`') && strings.IndexByte(text[1:], q) >= 0 {
			end = strings.IndexByte(text[1:], q) + 2
			list = append(list, text[1:end-1])
			text = text[end:]
			continue
		}
		if end < 0 {
			end = len(text)
		}
		list = append(list, text[:end])
		text = text[end:]
	}
	return list
}
