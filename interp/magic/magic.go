// Package magic implements the commands of a notebook that are not Go: lines that begin with %,
// cells that begin with %%, and !commands of the shell.
package magic

import (
	"context"
	"fmt"
	"go/types"
	"sort"
	"strings"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/interp/checkpoint"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/tests"
)

// Output receives what a magic shows.
type Output interface {
	display.Sink
	Stdout(text string)
	Stderr(text string)
}

// Session is the part of the session that magics can use.
type Session interface {
	// Variables lists the declarations of the session, in ascending order.
	Variables() []Variable
	// Replaced returns the number of types that stay in memory although their declarations have
	// been replaced, the number of their methods, and the approximate size of the memory that they
	// occupy.
	Replaced() (types, methods int, size string)
	// Reset removes all declarations and imports.
	Reset()
	// Frames lists the variables that are data frames, and Databases those that are connections to
	// databases. Values lists the variables that are numbers, strings, booleans or times. All are
	// in ascending order.
	Frames() []string
	Databases() []string
	Values() []string
	// Doc returns the documentation of a name in the syntax of a cell. If detail is 1, it includes
	// the source.
	Doc(name string, detail int) (display.Bundle, bool)
	// Meant returns the name in this library for a name of scikit-learn, such as ml.KNN for
	// KNeighborsClassifier. It returns "" if there is none.
	Meant(name string) string
	// Modules lists the modules of the imported packages. If all is set, it includes the modules
	// that are only required.
	Modules(all bool) ([]Module, error)
	// KeptModules returns, in JSON, the versions that the notebook should record, or nil if there
	// are none.
	KeptModules() []byte
	// Tests returns the tests, benchmarks, fuzz targets and examples of the session.
	Tests() (*tests.Set, error)
	// PackageTests loads a package and returns its tests.
	PackageTests(ctx context.Context, path string, out Output) (*tests.Set, error)
	// CellPackages lists the packages that cells have declared, in ascending order.
	CellPackages() []string
	// Stop stops the running cell with the given cause.
	Stop(cause error)
	// Program returns a Go file with the cells that have run without an error and for whose numbers
	// want returns true. Doc is its package comment. The notes describe differences from the
	// notebook.
	Program(ctx context.Context, doc, pkg string, want func(number int) bool) (text []byte, notes []string, err error)
	// JIT returns the JIT compiler of the engine, if it has one.
	JIT() (engine.JIT, bool)
	// Function returns the function f or the method T.m that cells have declared, or nil.
	Function(name string) *types.Func
	// SourceOf returns the text of the cell with a file name.
	SourceOf(file string) (text string, ok bool)
	// Warnings reports whether cells are checked for probable mistakes. SetWarnings turns these
	// checks on or off from the next cell on.
	Warnings() bool
	SetWarnings(on bool)
	// History lists the cells that have run without an error, in order.
	History() []string
	// ValueText formats the value of a variable or constant; ok is false if the name has no value.
	ValueText(name string) (text string, ok bool)
	// SaveSession writes the declarations of the session to a file.
	SaveSession(file string) (*checkpoint.Session, error)
	// CellText returns the text of the running cell.
	CellText() string
}

// Variable is one name of the session, for a list of names.
type Variable struct {
	Name, Kind, Type, Value string
	Cell                    int    // number of the cell that last declared it
	Size                    string // memory size of a variable
}

// Call is one use of a magic.
type Call struct {
	Args    string // the rest of the line
	Options string // the text before the code of a %timeit: "-n 10 -r 3"
	Detail  int    // 1 for documentation with source
	Body    string // the rest of the cell, for a cell magic
	// Code runs the Go code after the magic, if it takes code.
	Code    func()
	Out     Output
	Session Session
}

// Magic is one command.
type Magic struct {
	Name string // without %
	Cell bool   // whether it takes the rest of the cell: %%name
	Args string // the text after the name, for the help: "NAME=VALUE"
	Doc  string // one sentence
	Run  func(ctx context.Context, c Call) error
	// Go returns the Go code that runs instead of the cell, for a cell magic that is short for Go
	// code.
	Go func(c Call) (string, error)
}

// String returns the magic as users type it.
func (m *Magic) String() string {
	s := "%" + m.Name
	switch {
	case m.Name == "!":
		s = "!"
	case m.Cell:
		s = "%%" + m.Name
	}
	if m.Args != "" {
		s += " " + m.Args
	}
	return s
}

// All returns every magic, in the order of the help.
func All() []*Magic {
	return []*Magic{
		{Name: "time", Args: "STATEMENT", Doc: "runs the statement and prints how long it took.", Run: nil},
		{Name: "timeit", Args: "[-n RUNS] [-r ROUNDS] STATEMENT", Doc: "runs the statement many times and prints the time of one run.", Run: timeit},
		{Name: "time", Cell: true, Doc: "runs the cell and prints how long it took.", Run: nil},
		{Name: "timeit", Cell: true, Args: "[-n RUNS] [-r ROUNDS]", Doc: "runs the cell's statements many times and prints the time of one run.", Run: timeit},
		{Name: "prun", Args: "STATEMENT", Doc: "runs the statement and shows which functions and lines took the time.", Run: nil},
		{Name: "prun", Cell: true, Doc: "runs the cell and shows which functions and lines took the time.", Run: nil},
		{Name: "jit", Args: "[MODE [FUNCTION] | -why FUNCTION]", Doc: "lists the JIT-compiled functions, sets the mode (off, on or force) for the session or one function, or explains a function line by line.", Run: jit},
		{Name: "test", Args: "[PACKAGE] [-run RE] [-bench RE] [NAME]", Doc: "runs the tests, examples and fuzz targets of the session or of a package; -bench runs benchmarks, and NAME runs one test.", Run: test},
		{Name: "package", Cell: true, Args: "NAME", Doc: "makes the cell a package of plain Go, which later cells can import.", Run: ownPackage},
		{Name: "who", Args: "[var|func|type|const]", Doc: "lists the names that the session has declared, or only the names of one kind.", Run: who},
		{Name: "warn", Args: "[on|off]", Doc: "reports whether cells get warnings about code that is probably a mistake, or turns warnings on or off.", Run: warn},
		{Name: "history", Doc: "prints the cells that have run without an error.", Run: history},
		{Name: "args", Args: "[ARGUMENT]...", Doc: "sets the arguments of the program, os.Args.", Run: arguments},
		{Name: "main", Args: "[ARGUMENT]...", Doc: "does the same as %args, for notebooks written for GoNB; statements in a cell need no function main.", Run: arguments},
		{Name: "session", Args: "save FILE | restore [FILE]", Doc: "saves variables, types and functions to a file, or restores them; without FILE, restores the checkpoint of a lost session.", Run: session},
		{Name: "reset", Doc: "removes everything that the session has declared.", Run: reset},
		{Name: "cd", Args: "[DIRECTORY]", Doc: "changes the working directory to DIRECTORY, or to the home directory if none is given.", Run: cd},
		{Name: "env", Args: "[NAME[=VALUE]]", Doc: "shows or sets environment variables.", Run: env},
		{Name: "get", Args: "PATH[@VERSION]...", Doc: "adds modules or changes their versions; VERSION is v1.2.3, latest, or none to remove the module.", Run: nil},
		{Name: "mod", Args: "[-all]", Doc: "lists the modules from which the session's packages come.", Run: mod},
		{Name: "load", Args: "FILE", Doc: "puts the text of a file into the next cell.", Run: load},
		{Name: "save", Args: "[-f] [--package NAME] FILE [CELLS]", Doc: "writes cells as a Go program; CELLS are numbers such as 3-7,9.", Run: save},
		{Name: "writefile", Cell: true, Args: "[-a] FILE", Doc: "writes the cell's text to a file and creates the file's folder if needed; -a appends.", Run: writeFile},
		{Name: "bash", Cell: true, Doc: "runs the cell as a bash script.", Run: bash},
		{Name: "!", Args: "COMMAND", Doc: "runs a shell command; {x} and $x insert the value of the variable x.", Run: shell},
		{Name: "sql", Cell: true, Args: "[DATABASE] [NAME] [FILE]", Doc: "runs an SQL query over the session's frames and a SQLite file, or over the database that the variable DATABASE is connected to; the variable NAME gets the result.", Go: query},
		{Name: "capture", Cell: true, Args: "[NAME]", Doc: "runs the cell without showing what it prints; the variable NAME gets the text.", Run: nil},
		{Name: "javascript", Cell: true, Doc: "runs the cell as JavaScript in the page.", Run: text(javaScript)},
		{Name: "html", Cell: true, Doc: "shows the cell as HTML.", Run: text(display.HTML)},
		{Name: "markdown", Cell: true, Doc: "shows the cell as Markdown.", Run: text(display.Markdown)},
		{Name: "latex", Cell: true, Doc: "shows the cell as LaTeX.", Run: text(display.LaTeX)},
		{Name: "svg", Cell: true, Doc: "shows the cell as an SVG image.", Run: svg},
		{Name: "fmt", Doc: "formats the cell with gofmt.", Run: formatCell},
		{Name: "doc", Args: "NAME", Doc: "shows the documentation of a name, as NAME? does.", Run: doc},
		{Name: "help", Args: "[MAGIC]", Doc: "explains what a cell can hold, or what a magic does.", Run: help},
		{Name: "lsmagic", Doc: "lists the magics.", Run: lsmagic},
	}
}

// Lookup finds a magic. The error for an unknown one lists the existing magics.
func Lookup(name string, cell bool) (*Magic, error) {
	var names []string
	other := false
	for _, m := range All() {
		if m.Cell == cell || m.Name == "!" {
			if m.Name == name {
				return m, nil
			}
			if m.Name != "!" {
				names = append(names, prefix(cell)+m.Name)
			}
		} else if m.Name == name {
			other = true
		}
	}
	if other {
		return nil, fmt.Errorf("there is no magic %s%s, but there is %s%s", prefix(cell), name, prefix(!cell), name)
	}
	if best := nearest(name, names, prefix(cell)); best != "" && elsewhere[name] == "" {
		return nil, fmt.Errorf("there is no magic %s%s (did you mean %s?)", prefix(cell), name, best)
	}
	if use, ok := elsewhere[name]; ok {
		return nil, fmt.Errorf("there is no magic %s%s: %s", prefix(cell), name, use)
	}
	sort.Strings(names)
	return nil, fmt.Errorf("there is no magic %s%s; the magics are %s", prefix(cell), name, strings.Join(names, " "))
}

// elsewhere maps magics of other kernels to their equivalents here.
var elsewhere = map[string]string{
	"whos":            "%who shows types and values too",
	"who_ls":          "%who lists what is declared",
	"pwd":             "write !pwd, or os.Getwd()",
	"ls":              "write !ls",
	"lprun":           "%prun shows the time of lines, too",
	"run":             "%load FILE puts the text of a file into the next cell",
	"sh":              "write %%bash",
	"file":            "write %%writefile FILE",
	"script":          "write %%bash and call the program there",
	"pip":             "import a package by its path, or write %get PATH@VERSION",
	"conda":           "import a package by its path, or write %get PATH@VERSION",
	"matplotlib":      "charts are shown without one: write Plot(y)",
	"pinfo":           "write NAME? or %doc NAME",
	"pinfo2":          "write NAME??",
	"set_env":         "write %env NAME=VALUE",
	"del":             "a name can be declared again at any time; %reset forgets all names",
	"exec":            "call the function in the cell, such as f()",
	"list":            "%who lists what is declared",
	"rm":              "a name can be declared again at any time; %reset forgets all names",
	"track":           "a local package is loaded again when its files change, without a magic",
	"untrack":         "a local package is loaded again when its files change, without a magic",
	"autoget":         "a package is fetched when a cell imports it, without a magic",
	"noautoget":       "start the kernel with --offline to fetch nothing",
	"autoreload":      "a local package is loaded again when its files change, without a magic",
	"load_ext":        "there are no extensions",
	"js":              "write %%javascript",
	"hist":            "write %history",
	"reset_selective": "%reset forgets everything; a name can be declared again at any time",
}

func prefix(cell bool) string {
	if cell {
		return "%%"
	}
	return "%"
}
