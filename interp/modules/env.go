package modules

import (
	"bufio"
	"go/version"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"golang.org/x/mod/module"
)

// Env contains the settings of the go command for modules, with the names in `go env`.
type Env struct {
	Proxy    string // GOPROXY
	NoProxy  string // GONOPROXY, or GOPRIVATE
	SumDB    string // GOSUMDB
	NoSumDB  string // GONOSUMDB, or GOPRIVATE
	ModCache string // GOMODCACHE
	GoPath   string // the first folder of GOPATH
	Work     string // GOWORK
	Mod      string // -mod in GOFLAGS: "", "mod", "readonly" or "vendor"
	Tags     []string
	Offline  bool // whether fetching is disabled
	// Patience is how long to wait for a silent proxy; 0 means 20 seconds.
	Patience time.Duration
}

// ReadEnv reads the settings from the environment and, for settings that are not there, from the
// file that `go env -w` writes.
func ReadEnv() Env {
	file := envFile()
	get := func(name string) string {
		if v := os.Getenv(name); v != "" {
			return v
		}
		return file[name]
	}
	or := func(v, other string) string {
		if v == "" {
			return other
		}
		return v
	}
	e := Env{
		Proxy:    or(get("GOPROXY"), "https://proxy.golang.org,direct"),
		NoProxy:  or(get("GONOPROXY"), get("GOPRIVATE")),
		SumDB:    or(get("GOSUMDB"), "sum.golang.org"),
		NoSumDB:  or(get("GONOSUMDB"), get("GOPRIVATE")),
		ModCache: get("GOMODCACHE"),
		Work:     get("GOWORK"),
	}
	if get("GONOSUMCHECK") != "" && get("GONOSUMCHECK") != "0" {
		e.SumDB = "off"
	}
	e.GoPath = get("GOPATH")
	if list := filepath.SplitList(e.GoPath); len(list) > 0 {
		e.GoPath = list[0]
	}
	if e.GoPath == "" {
		if home, err := os.UserHomeDir(); err == nil {
			e.GoPath = filepath.Join(home, "go")
		}
	}
	if e.ModCache == "" {
		e.ModCache = filepath.Join(e.GoPath, "pkg", "mod")
	}
	for _, f := range strings.Fields(get("GOFLAGS")) {
		f = strings.TrimPrefix(f, "-")
		switch name, value, _ := strings.Cut(strings.TrimPrefix(f, "-"), "="); name {
		case "mod":
			e.Mod = value
		case "tags":
			e.Tags = strings.Split(value, ",")
		case "insecure":
			e.SumDB = "off"
		}
	}
	return e
}

// envFile reads the file of `go env -w`, and returns an empty map if there is none.
func envFile() map[string]string {
	name := os.Getenv("GOENV")
	if name == "off" {
		return nil
	}
	if name == "" {
		dir, err := os.UserConfigDir()
		if err != nil {
			return nil
		}
		name = filepath.Join(dir, "go", "env")
	}
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	values := map[string]string{}
	for s := bufio.NewScanner(f); s.Scan(); {
		if name, value, ok := strings.Cut(s.Text(), "="); ok && !strings.HasPrefix(name, "#") {
			values[strings.TrimSpace(name)] = strings.TrimSpace(value)
		}
	}
	return values
}

// isPrivate reports whether a module must not be fetched from a proxy.
func (e Env) isPrivate(path string) bool { return module.MatchPrefixPatterns(e.NoProxy, path) }

// isUnsummed reports whether the checksum database must not be asked for a module.
func (e Env) isUnsummed(path string) bool {
	return e.SumDB == "off" || module.MatchPrefixPatterns(e.NoSumDB, path)
}

// Language returns the language version that this program supports, in the form of go.mod.
func Language() string {
	v := strings.TrimPrefix(version.Lang(runtime.Version()), "go")
	if v == "" {
		return "1.26" // a development version of Go
	}
	return v
}
