package tests

import (
	"bufio"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"
)

// mark is the start of the lines in which package testing reports the progress of tests.
const mark = "\x16"

// reader parses the output of package testing with -test.v=test2json.
type reader struct {
	mu      sync.Mutex
	list    []*Result
	byName  map[string]*Result
	current *Result

	done chan struct{} // closed when everything is read
}

func newReader() *reader {
	return &reader{byName: map[string]*Result{}, done: make(chan struct{})}
}

// read reads until the end.
func (r *reader) read(from io.Reader) {
	in := bufio.NewReader(from)
	for {
		line, err := in.ReadString('\n')
		if line != "" {
			r.line(line)
		}
		if err != nil {
			return
		}
	}
}

// ordered returns the results so far in the order in which the tests began. Subtests follow their
// tests, even if other tests ran in parallel.
func (r *reader) ordered() []Result {
	r.mu.Lock()
	defer r.mu.Unlock()
	below := map[string][]*Result{}
	for _, t := range r.list {
		parent := ""
		for i := range t.Name {
			if t.Name[i] == '/' && r.byName[t.Name[:i]] != nil {
				parent = t.Name[:i]
			}
		}
		below[parent] = append(below[parent], t)
	}
	var list []Result
	var add func(of string)
	add = func(of string) {
		for _, t := range below[of] {
			list = append(list, *t)
			add(t.Name)
		}
	}
	add("")
	return list
}

func (r *reader) test(name string) *Result {
	t := r.byName[name]
	if t == nil {
		t = &Result{Name: name}
		r.byName[name] = t
		r.list = append(r.list, t)
	}
	return t
}

func (r *reader) line(line string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	// A mark may follow text without a line break.
	if before, after, ok := strings.Cut(line, mark); ok {
		if strings.TrimSpace(before) != "" {
			r.output(before + "\n")
		}
		r.event(strings.TrimSpace(after))
		return
	}
	if name, measured, ok := strings.Cut(line, "\t"); ok && strings.HasPrefix(name, "Benchmark") && strings.Contains(measured, "/op") {
		t := r.benchmark(strings.TrimSpace(name))
		t.Action = "pass"
		t.Time = strings.Join(strings.Fields(measured), " ")
		return
	}
	r.output(line)
}

// benchmark returns the benchmark for a name, which may end in the number of processors.
func (r *reader) benchmark(name string) *Result {
	if i := strings.LastIndexByte(name, '-'); i > 0 && r.byName[name] == nil && strings.Trim(name[i+1:], "0123456789") == "" {
		name = name[:i]
	}
	return r.test(name)
}

// event parses "=== RUN   TestX", "--- FAIL: TestX (0.01s)" and similar lines.
func (r *reader) event(text string) {
	words := strings.Fields(text)
	if len(words) < 3 {
		return
	}
	switch words[1] {
	case "RUN", "CONT", "NAME":
		r.current = r.test(words[2])
	case "PAUSE":
		r.current = nil
	case "PASS:", "FAIL:", "SKIP:", "BENCH:":
		t := r.benchmark(words[2])
		if a := strings.ToLower(strings.TrimSuffix(words[1], ":")); a != "bench" {
			t.Action = a
		}
		if len(words) > 3 {
			t.Time = strings.Trim(words[3], "(s)")
		}
		r.current = t
	}
}

func (r *reader) output(text string) {
	switch t := r.current; {
	case t == nil, text == t.Name+"\n": // a benchmark prints its name before it runs
	case strings.TrimSpace(text) == "PASS", strings.TrimSpace(text) == "FAIL":
	case strings.HasPrefix(text, "goos: "), strings.HasPrefix(text, "goarch: "), strings.HasPrefix(text, "pkg: "), strings.HasPrefix(text, "cpu: "):
	default:
		t.Output += text
	}
}

// isTest reports whether a name is the name of a test: the text after the prefix does not begin
// with a lower-case letter.
func isTest(name, prefix string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	r, _ := utf8.DecodeRuneInString(rest)
	return ok && (rest == "" || !unicode.IsLower(r))
}

// example extracts the expected output from the last comment of a function.
func example(name, text string) (testing.InternalExample, bool) {
	if !isTest(name, "Example") {
		return testing.InternalExample{}, false
	}
	f, err := parser.ParseFile(token.NewFileSet(), "example_test.go", "package main\n"+text, parser.ParseComments)
	if err != nil {
		return testing.InternalExample{}, false
	}
	for _, e := range doc.Examples([]*ast.File{f}...) {
		if "Example"+e.Name == name && (e.Output != "" || e.EmptyOutput) {
			return testing.InternalExample{Name: name, Output: e.Output, Unordered: e.Unordered}, true
		}
	}
	return testing.InternalExample{}, false
}

// Named reports whether [Set.Add] may accept a function with this name.
func Named(name string) bool {
	return slices.ContainsFunc([]string{"Test", "Benchmark", "Fuzz", "Example"}, func(prefix string) bool { return isTest(name, prefix) })
}
