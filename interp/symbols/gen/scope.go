package main

import (
	"strings"

	"github.com/gokernel/gokernel/interp/symbols/table"
)

const module = "github.com/gokernel/gokernel"

// group is a set of packages with one table file and one archive. Separate groups avoid recompiling
// everything after a change of the course library.
type group struct {
	name     string // name of the Go package under interp/symbols
	doc      string
	patterns []string
}

var groups = []group{
	{"std", "holds the table of the standard library.", []string{"std"}},
	{"science", "holds the tables of gonum and gonum/plot.", []string{
		"gonum.org/v1/gonum/...",
		"gonum.org/v1/plot", "gonum.org/v1/plot/font/...", "gonum.org/v1/plot/palette/...", "gonum.org/v1/plot/plotter",
		"gonum.org/v1/plot/plotutil", "gonum.org/v1/plot/text", "gonum.org/v1/plot/tools/...", "gonum.org/v1/plot/vg/...",
	}},
	{"library", "holds the tables of mlstd and display, and of what rewritten cells call.", []string{module + "/mlstd/...", module + "/display/...", module + "/interp/cellrt", module + "/interp/ask"}},
}

// leftOut returns the reason why a package that matches a pattern is excluded.
func leftOut(pkgPath, name string) (string, bool) {
	if name == "main" {
		return "is a command", true
	}
	for elem := range strings.SplitSeq(pkgPath, "/") {
		switch elem {
		case "internal":
			return "is internal", true
		case "vendor":
			return "is vendored", true
		}
	}
	reason := table.LeftOut(pkgPath)
	return reason, reason != ""
}

// intrinsic contains the generic functions whose source depends on the runtime. An engine
// implements or rejects them.
var intrinsic = map[string]bool{
	"crypto/hkdf.Expand":                   true,
	"crypto/hkdf.Extract":                  true,
	"crypto/hkdf.Key":                      true,
	"crypto/pbkdf2.Key":                    true,
	"encoding/json/jsontext.AppendFormat":  true,
	"encoding/json/jsontext.AppendQuote":   true,
	"encoding/json/jsontext.AppendUnquote": true,
	"encoding/json/v2.GetOption":           true,
	"encoding/json/v2.MarshalFunc":         true,
	"encoding/json/v2.MarshalToFunc":       true,
	"encoding/json/v2.UnmarshalFromFunc":   true,
	"encoding/json/v2.UnmarshalFunc":       true,
	"hash/maphash.Comparable":              true,
	"hash/maphash.WriteComparable":         true,
	"iter.Pull":                            true,
	"iter.Pull2":                           true,
	"maps.Clone":                           true,
	"math/rand/v2.N":                       true,
	"reflect.TypeAssert":                   true,
	"reflect.TypeFor":                      true,
	"runtime.AddCleanup":                   true,
	"unique.Make":                          true,
	"weak.Make":                            true,
}
