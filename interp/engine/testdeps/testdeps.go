// Package testdeps starts tests like the program that go test generates, with the dependencies that
// package testing requires of it.
package testdeps

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime/pprof"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Start returns the runner of the tests: testing.MainStart without its first argument. If match is
// nil, patterns are regular expressions.
func Start(match func(pat, str string) (bool, error), tests []testing.InternalTest, benchmarks []testing.InternalBenchmark, fuzz []testing.InternalFuzzTarget, examples []testing.InternalExample) *testing.M {
	if match == nil {
		match = regexp.MatchString
	}
	return testing.MainStart(deps{match}, tests, benchmarks, fuzz, examples)
}

// MainStart returns testing.MainStart for code that can only pass nil as its first argument: no
// other package can name its type.
func MainStart() reflect.Value {
	start := reflect.ValueOf(testing.MainStart)
	return reflect.MakeFunc(start.Type(), func(args []reflect.Value) []reflect.Value {
		if args[0].IsNil() {
			args[0] = reflect.ValueOf(deps{regexp.MatchString}).Convert(args[0].Type())
		}
		return start.Call(args)
	})
}

type deps struct {
	match func(pat, str string) (bool, error)
}

// corpusEntry is the type of the same name in package testing.
type corpusEntry = struct {
	Parent     string
	Path       string
	Data       []byte
	Values     []any
	Generation int
	IsSeed     bool
}

var errNoFuzzing = errors.New("cells have no fuzzing beyond the seeds")

func (d deps) MatchString(pat, str string) (bool, error) { return d.match(pat, str) }
func (deps) ImportPath() string                          { return "main" }
func (deps) ModulePath() string                          { return "" }
func (deps) SetPanicOnExit0(bool)                        {}
func (deps) StartCPUProfile(w io.Writer) error           { return pprof.StartCPUProfile(w) }
func (deps) StopCPUProfile()                             { pprof.StopCPUProfile() }
func (deps) StartTestLog(io.Writer)                      {}
func (deps) StopTestLog() error                          { return nil }
func (deps) RunFuzzWorker(func(corpusEntry) error) error { return errNoFuzzing }
func (deps) ResetCoverage()                              {}
func (deps) SnapshotCoverage()                           {}
func (deps) WriteProfileTo(name string, w io.Writer, n int) error {
	return pprof.Lookup(name).WriteTo(w, n)
}

func (deps) CoordinateFuzzing(time.Duration, int64, time.Duration, int64, int, []corpusEntry, []reflect.Type, string, string) error {
	return errNoFuzzing
}

func (deps) InitRuntimeCoverage() (mode string, tearDown func(string, string) (string, error), snapcov func() float64) {
	return "", nil, nil
}

// CheckCorpus returns an error if the values of a seed do not have the types of a fuzz target's
// parameters.
func (deps) CheckCorpus(values []any, want []reflect.Type) error {
	if len(values) != len(want) {
		return fmt.Errorf("wrong number of values in corpus entry: %d, want %d", len(values), len(want))
	}
	for i, v := range values {
		if reflect.TypeOf(v) != want[i] {
			return fmt.Errorf("mismatched types in corpus entry: %T, want %v", v, want[i])
		}
	}
	return nil
}

// ReadCorpus reads the seeds in a folder.
func (d deps) ReadCorpus(dir string, want []reflect.Type) ([]corpusEntry, error) {
	files, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []corpusEntry
	for _, f := range files {
		if f.IsDir() {
			continue
		}
		path := filepath.Join(dir, f.Name())
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		values, err := seed(string(data))
		if err == nil {
			err = d.CheckCorpus(values, want)
		}
		if err != nil {
			return nil, fmt.Errorf("%q: %w", path, err)
		}
		list = append(list, corpusEntry{Path: path, Values: values, Data: data, IsSeed: true})
	}
	return list, nil
}

// seed reads the values of a seed: a line for each, such as string("a"), after a line with the
// version.
func seed(text string) ([]any, error) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if strings.TrimSpace(lines[0]) != "go test fuzz v1" {
		return nil, errors.New(`a seed begins with the line "go test fuzz v1"`)
	}
	var values []any
	for _, line := range lines[1:] {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		v, err := seedValue(line)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", line, err)
		}
		values = append(values, v)
	}
	return values, nil
}

// numbers has the types of seeds that are written as conversions of numbers.
var numbers = map[string]reflect.Type{
	"int": reflect.TypeFor[int](), "int8": reflect.TypeFor[int8](), "int16": reflect.TypeFor[int16](), "int32": reflect.TypeFor[int32](), "int64": reflect.TypeFor[int64](),
	"uint": reflect.TypeFor[uint](), "uint8": reflect.TypeFor[uint8](), "uint16": reflect.TypeFor[uint16](), "uint32": reflect.TypeFor[uint32](), "uint64": reflect.TypeFor[uint64](),
	"float32": reflect.TypeFor[float32](), "float64": reflect.TypeFor[float64](), "rune": reflect.TypeFor[rune](), "byte": reflect.TypeFor[byte](),
}

func seedValue(line string) (any, error) {
	e, err := parser.ParseExpr(line)
	if err != nil {
		return nil, err
	}
	call, ok := e.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil, errors.New("a seed is a conversion, such as int(1)")
	}
	arg := call.Args[0]
	sign := ""
	if u, ok := arg.(*ast.UnaryExpr); ok && (u.Op == token.SUB || u.Op == token.ADD) {
		sign, arg = u.Op.String(), u.X
	}
	text := ""
	switch x := arg.(type) {
	case *ast.BasicLit:
		text = x.Value
	case *ast.Ident: // true, NaN, Inf
		text = x.Name
	}
	if _, bytes := call.Fun.(*ast.ArrayType); bytes {
		s, err := strconv.Unquote(text)
		return []byte(s), err
	}
	name, _ := call.Fun.(*ast.Ident)
	if name == nil {
		return nil, errors.New("seeds are of basic types and []byte")
	}
	switch name.Name {
	case "string":
		return strconv.Unquote(text)
	case "bool":
		return strconv.ParseBool(text)
	}
	t, ok := numbers[name.Name]
	if !ok {
		return nil, errors.New("seeds are of basic types and []byte")
	}
	v := reflect.New(t).Elem()
	if strings.HasPrefix(text, "'") {
		r, _, _, err := strconv.UnquoteChar(text[1:], '\'')
		text = strconv.Itoa(int(r))
		if err != nil {
			return nil, err
		}
	}
	switch {
	case v.CanFloat():
		f, err := strconv.ParseFloat(sign+text, 64)
		v.SetFloat(f)
		return v.Interface(), err
	case v.CanInt():
		n, err := strconv.ParseInt(sign+text, 0, t.Bits())
		v.SetInt(n)
		return v.Interface(), err
	default:
		n, err := strconv.ParseUint(text, 0, t.Bits())
		v.SetUint(n)
		return v.Interface(), err
	}
}
