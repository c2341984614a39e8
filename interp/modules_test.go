package interp_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/interp"
	"github.com/gokernel/gokernel/interp/engines"
	"github.com/gokernel/gokernel/interp/modules"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// openWith opens a session with the given settings for modules.
func openWith(t *testing.T, m interp.Modules) *notebook {
	t.Helper()
	s, err := interp.New(interp.Options{Engine: engines.ByName["ssa"], Modules: m})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return &notebook{Session: s, tb: t}
}

const hello = "import \"example.com/greet\"\ngreet.Hello(\"Ada\")"

// A faulty proxy causes one clear error message, the session survives, and a cell finds the package
// once the proxy works.
func TestProxyFaults(t *testing.T) {
	zipped := func(name string) []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, n := range []string{"example.com/greet@v1.1.0/go.mod", name} {
			w, err := z.Create(n)
			if err != nil {
				t.Fatal(err)
			}
			w.Write([]byte("module example.com/greet\n"))
		}
		z.Close()
		return b.Bytes()
	}
	asked := func(r *http.Request, ext string) bool {
		return strings.HasSuffix(r.URL.Path, ext) && strings.Contains(r.URL.Path, "greet/@v")
	}
	for _, tt := range []struct {
		name  string
		fault func(w http.ResponseWriter, r *http.Request) bool
		want  []string
	}{
		{"wrong checksum of a zip", func(w http.ResponseWriter, r *http.Request) bool {
			if asked(r, ".zip") {
				w.Write(zipped("example.com/greet@v1.1.0/greet.go"))
				return true
			}
			return false
		}, []string{"the zip of example.com/greet@v1.1.0 is not used, because its checksum is h1:", "but sums.example.com lists h1:"}},
		{"wrong checksum of a go.mod", func(w http.ResponseWriter, r *http.Request) bool {
			if asked(r, ".mod") {
				w.Write([]byte("module example.com/greet\nrequire example.com/evil v1.0.0\n"))
				return true
			}
			return false
		}, []string{"the go.mod of example.com/greet@v1.1.0 is not used, because its checksum is h1:", "but sums.example.com lists h1:"}},
		{"truncated zip", func(w http.ResponseWriter, r *http.Request) bool {
			if asked(r, ".zip") {
				w.Header().Set("Content-Length", "5000")
				w.Write(zipped("example.com/greet@v1.1.0/greet.go")[:100])
				return true
			}
			return false
		}, []string{"returned an invalid answer: unexpected EOF"}},
		{"zip that ends early but whole as an answer", func(w http.ResponseWriter, r *http.Request) bool {
			if asked(r, ".zip") {
				w.Write(zipped("example.com/greet@v1.1.0/greet.go")[:100])
				return true
			}
			return false
		}, []string{"the zip of example.com/greet@v1.1.0 from http://127.0.0.1:", "is broken: ", "not a valid zip file"}},
		{"path that climbs out", func(w http.ResponseWriter, r *http.Request) bool {
			if asked(r, ".zip") {
				w.Write(zipped("example.com/greet@v1.1.0/../../../../out.go"))
				return true
			}
			return false
		}, []string{"is broken", `malformed file path "../../../../out.go"`}},
		{"endless redirect", func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, r.URL.Path+"?again", http.StatusFound)
			return true
		}, []string{"it redirects more than 10 times"}},
		{"silence", func(_ http.ResponseWriter, r *http.Request) bool {
			<-r.Context().Done()
			return true
		}, []string{"has not answered for 200ms"}},
		{"silence in the middle", func(w http.ResponseWriter, r *http.Request) bool {
			if !asked(r, ".zip") {
				return false
			}
			w.Header().Set("Content-Length", "5000")
			w.Write(make([]byte, 100))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
			return true
		}, []string{"has not answered for 200ms"}},
		{"error of the server", func(w http.ResponseWriter, _ *http.Request) bool {
			w.WriteHeader(http.StatusInternalServerError)
			return true
		}, []string{"answered 500 Internal Server Error"}},
		{"broken database of checksums", func(w http.ResponseWriter, r *http.Request) bool {
			if strings.HasPrefix(r.URL.Path, "/lookup/") {
				w.Write([]byte("nonsense"))
				return true
			}
			return false
		}, []string{"the checksum of example.com/greet@v1.1.0 cannot be verified"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, dir := folder(t, "")
			n := openWith(t, interp.Modules{Env: func() modules.Env {
				env := modules.ReadEnv()
				env.Patience = 200 * time.Millisecond
				return env
			}})
			n.must("kept := 1")
			p.Fault(tt.fault)
			_, _, err := n.eval(context.Background(), hello)
			if err == nil {
				t.Fatal("it is imported")
			}
			for _, w := range tt.want {
				if !strings.Contains(err.Error(), w) || strings.Contains(err.Error(), "\n") {
					t.Errorf("got %v, want %q", err, w)
				}
			}
			if got := n.must("kept"); got != "1" {
				t.Errorf("kept is %s", got)
			}
			if _, err := os.Stat(filepath.Join(dir, "..", "out.go")); err == nil {
				t.Error("a file was written outside")
			}
			p.Fault(nil)
			if got := n.must(hello); got != `"good day, Ada"` {
				t.Errorf("the proxy is well again, and got %s", got)
			}
		})
	}
}

// Without a network there is one error message, unless the module cache contains the package.
func TestOffline(t *testing.T) {
	folder(t, "")
	offline := func() modules.Env {
		env := modules.ReadEnv()
		env.Offline = true
		return env
	}
	n := openWith(t, interp.Modules{Env: offline})
	_, _, err := n.eval(context.Background(), hello)
	if want := "example.com/greet must be fetched, but the session is offline"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v", err)
	}
	t.Run("off", func(t *testing.T) {
		t.Setenv("GOPROXY", "off")
		_, _, err := n.eval(context.Background(), "import \"example.com/party\"")
		if err == nil || !strings.Contains(err.Error(), "the session is offline") {
			t.Errorf("got %v", err)
		}
		_, _, err = open(t).eval(context.Background(), hello)
		if want := "example.com/greet must be fetched, but GOPROXY=off forbids it"; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v", err)
		}
	})
	open(t).must(hello) // fetches it
	if got := openWith(t, interp.Modules{Env: offline}).must(hello); got != `"good day, Ada"` {
		t.Errorf("got %s from the cache", got)
	}
}

// The session does not ask a proxy for a private module. Without a checksum database, it does not
// look the module up there.
func TestPrivateModules(t *testing.T) {
	p, _ := folder(t, "")
	t.Run("private", func(t *testing.T) {
		t.Setenv("GOPRIVATE", "example.com/*")
		_, _, err := open(t).eval(context.Background(), hello)
		if err == nil || !strings.Contains(err.Error(), "is private (GOPRIVATE or GONOPROXY)") || len(p.Requests()) > 0 {
			t.Errorf("got %v", err)
		}
	})
	t.Setenv("GONOSUMDB", "example.com")
	open(t).must(hello)
	for _, r := range p.Requests() {
		if strings.HasPrefix(r, "/lookup/") {
			t.Errorf("the checksum database was asked: %s", r)
		}
	}
}

// An interrupt ends the wait for a proxy.
func TestInterruptOfFetching(t *testing.T) {
	p, _ := folder(t, "")
	n := open(t)
	began := make(chan bool, 10)
	p.Fault(func(_ http.ResponseWriter, r *http.Request) bool {
		began <- true
		<-r.Context().Done()
		return true
	})
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-began
		// The session answers queries while it waits.
		if _, err := n.Complete(context.Background(), "strings.Spl", 11); err != nil {
			t.Error(err)
		}
		cancel()
	}()
	_, _, err := n.eval(ctx, hello)
	var e *evaluator.Error
	if !errors.As(err, &e) || e.Name != "interrupted" {
		t.Errorf("got %v", err)
	}
}

// %get selects versions and %mod lists them. Both are kept in go.mod and go.sum, if there is a
// go.mod.
func TestGetKeepsVersions(t *testing.T) {
	_, dir := folder(t, "-- go.mod --\nmodule here\n\ngo 1.24\n")
	n := open(t)
	got, out, err := n.eval(context.Background(), "%get example.com/greet@v1.0.0\n"+hello)
	if err != nil || got != `"hello, Ada"` || !strings.Contains(out.stdout.String(), "example.com/greet v1.0.0\n") {
		t.Fatalf("got %s, %v, %s", got, err, out.stdout.String())
	}
	text := contentOf(t, filepath.Join(dir, "go.mod"))
	if !strings.Contains(text, "require example.com/greet v1.0.0\n") {
		t.Errorf("go.mod is\n%s", text)
	}
	sum := contentOf(t, filepath.Join(dir, "go.sum"))
	if !strings.Contains(sum, "example.com/greet v1.0.0 h1:") || !strings.Contains(sum, "example.com/greet v1.0.0/go.mod h1:") {
		t.Errorf("go.sum is\n%s", sum)
	}
	got, out, err = n.eval(context.Background(), "%get example.com/greet\ngreet.Hello(\"Ada\")")
	if err != nil || got != `"good day, Ada"` || !strings.Contains(out.stderr.String(), "go.mod now requires example.com/greet v1.1.0") {
		t.Errorf("after an upgrade got %s, %v, %s", got, err, out.stderr.String())
	}
	_, out, err = n.eval(context.Background(), "%mod")
	if err != nil || !strings.Contains(strings.Join(out.shown, ""), "example.com/greet  v1.1.0") {
		t.Errorf("%%mod shows %v, %v", out.shown, err)
	}
	if got := open(t).must(hello); got != `"good day, Ada"` {
		t.Errorf("a new session gives %s", got)
	}
	// A checksum that differs from the one in go.sum is an error.
	writeFiles(t, dir, "-- go.sum --\nexample.com/greet v1.1.0 h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n")
	if _, _, err := open(t).eval(context.Background(), hello); err == nil || !strings.Contains(err.Error(), "but go.sum lists h1:") {
		t.Errorf("got %v", err)
	}
	for query, want := range map[string]string{
		"example.com/greet@v1":                       "example.com/greet v1.1.0",
		"example.com/greet@v1.0":                     "example.com/greet v1.0.0",
		"example.com/greet@patch":                    "example.com/greet v1.0.0",
		"example.com/greet@<v1.1":                    "example.com/greet v1.0.0",
		"example.com/greet@<=v1.1.0":                 "example.com/greet v1.1.0",
		"example.com/greet@>=v1.0":                   "example.com/greet v1.0.0",
		"example.com/greet@>v1.0.0":                  "example.com/greet v1.1.0",
		"example.com/greet@>v1.1.0":                  "example.com/greet v1.2.0-rc.1",
		"example.com/greet@<v1.0.0":                  "no module has example.com/greet at version <v1.0.0",
		"example.com/greet@>v1.0":                    ">v1.0 could mean the first or the last of v1.0: give all three numbers",
		"example.com/greet@=>v1.0":                   `version "=>v1.0" invalid`,
		"example.com/greet@<1.0":                     "<1.0 is not a bound",
		"example.com/party@patch":                    "example.com/party v1.0.0",
		"./stats":                                    "a folder has no versions",
		"example.com/greet@none":                     "example.com/greet is no longer required",
		"example.com/greet@v1.9.9":                   "no proxy has example.com/greet@v1.9.9",
		"example.com/nothing":                        "no module has example.com/nothing at version latest",
		"gonum.org/v1/gonum/mat":                     "is compiled into the kernel",
		"":                                           "give a module or package and a version",
		"example.com/party example.com/greet@v1.0.0": "example.com/party v1.0.0\nexample.com/greet v1.0.0",
	} {
		writeFiles(t, dir, "-- go.mod --\nmodule here\n\ngo 1.24\n\nrequire example.com/greet v1.0.0\n-- go.sum --\n")
		gets(t, query, want)
	}
}

// gets checks what %get prints for a query in a new session, or its error.
func gets(t *testing.T, query, want string) {
	t.Helper()
	_, out, err := open(t).eval(context.Background(), "%get "+query)
	text := out.stdout.String()
	if err != nil {
		text = err.Error()
	}
	if !strings.Contains(text, want) {
		t.Errorf("%%get %s: %s, want %s", query, text, want)
	}
}

// Versions with +incompatible are successors of one that has no go.mod, and are ignored beside one
// that has. The go command of 1.26 selects the same versions.
func TestIncompatibleVersions(t *testing.T) {
	p, dir := folder(t, "")
	p.Add(t, `
-- example.com/old@v1.0.0/old.go --
package old
-- example.com/old@v1.1.0/old.go --
package old
-- example.com/old@v2.0.0+incompatible/old.go --
package old
-- example.com/old@v2.1.0-rc.1+incompatible/old.go --
package old
-- example.com/modern@v1.0.0/modern.go --
package modern
-- example.com/modern@v1.1.0/go.mod --
module example.com/modern
go 1.21
-- example.com/modern@v1.1.0/modern.go --
package modern
-- example.com/modern@v2.0.0+incompatible/modern.go --
package modern
-- example.com/lone@v3.1.0+incompatible/lone.go --
package lone
`)
	for query, want := range map[string]string{
		"example.com/old":             "example.com/old v2.0.0+incompatible\n",
		"example.com/old@v1":          "example.com/old v1.1.0\n",
		"example.com/old@>v1.1.0":     "example.com/old v2.0.0+incompatible\n",
		"example.com/old@<v2.0.0":     "example.com/old v1.1.0\n",
		"example.com/modern":          "example.com/modern v1.1.0\n",
		"example.com/modern@<v1.1.0":  "example.com/modern v1.0.0\n",
		"example.com/modern@>=v1.0.5": "example.com/modern v1.1.0\n",
		"example.com/modern@<=v2.0.0": "example.com/modern v2.0.0+incompatible\n",
		"example.com/modern@>v1.1.0":  "example.com/modern v2.0.0+incompatible\n",
		"example.com/lone":            "example.com/lone v3.1.0+incompatible\n",
	} {
		writeFiles(t, dir, "-- go.mod --\nmodule here\n\ngo 1.24\n-- go.sum --\n")
		gets(t, query, want)
	}
}

// A session follows changes of go.mod, and keeps lines in it that others have written.
func TestGoModChanges(t *testing.T) {
	_, dir := folder(t, "-- go.mod --\nmodule here\n\ngo 1.24\n\nrequire example.com/greet v1.0.0\n-- go.sum --\n")
	n := open(t)
	if got := n.must(hello); got != `"hello, Ada"` {
		t.Fatalf("got %s", got)
	}
	change := func(text string) {
		writeFiles(t, dir, "-- go.mod --\n"+text)
	}
	change("module here\n\ngo 1.24\n\n// for the greeting\nrequire example.com/greet v1.1.0\n")
	if got := n.must(hello); got != `"good day, Ada"` {
		t.Errorf("at another version got %s", got)
	}
	n.must("%get example.com/party@v1.0.0")
	if text := contentOf(t, filepath.Join(dir, "go.mod")); !strings.Contains(text, "// for the greeting") || !strings.Contains(text, "example.com/party v1.0.0") {
		t.Errorf("go.mod is\n%s", text)
	}
	change("module here\n\ngo 1.24\n\nrequire example.com/greet v1.1.0\n\nreplace example.com/greet => ./mine\n")
	writeFiles(t, dir, "-- mine/go.mod --\nmodule example.com/greet\n-- mine/greet.go --\npackage greet\nfunc Hello(string) string { return \"mine\" }\n")
	if got := n.must(hello); got != `"mine"` {
		t.Errorf("replaced got %s", got)
	}
	change("modul here\n")
	if _, _, err := n.eval(context.Background(), hello); err == nil || !strings.Contains(err.Error(), "go.mod:1") {
		t.Errorf("a broken go.mod: %v", err)
	}
	if got := n.must("1 + 1"); got != "2" {
		t.Errorf("got %s", got)
	}
	change("module here\n\ngo 1.24\n\nrequire example.com/greet v1.0.0\n")
	if got := n.must(hello); got != `"hello, Ada"` {
		t.Errorf("mended got %s", got)
	}
	// If one of several modules is not available, none of them is required.
	if _, _, err := n.eval(context.Background(), "%get example.com/party@v1.0.0 example.com/nothing"); err == nil {
		t.Error("a module that is nowhere was found")
	}
	n.must("%get example.com/greet@v1.1.0")
	if text := contentOf(t, filepath.Join(dir, "go.mod")); strings.Contains(text, "party") || !strings.Contains(text, "greet v1.1.0") {
		t.Errorf("go.mod is\n%s", text)
	}
}

// Without a go.mod, a session uses the versions recorded in the notebook, and reports which ones to
// record.
func TestKeptVersions(t *testing.T) {
	folder(t, "")
	n := open(t)
	_, out, err := n.eval(context.Background(), hello)
	if want := "example.com/greet v1.1.0 is used; %get example.com/greet@v1.1.0 keeps the version\n"; err != nil || !strings.Contains(out.stderr.String(), want) {
		t.Errorf("got %q, %v", out.stderr.String(), err)
	}
	kept := []modules.Requirement{{Path: "example.com/greet", Version: "v1.0.0"}}
	n = openWith(t, interp.Modules{Kept: kept, Recorded: true})
	got, out, err := n.eval(context.Background(), hello)
	if err != nil || got != `"hello, Ada"` || strings.Contains(out.stderr.String(), "keeps") {
		t.Errorf("got %s, %v, %s", got, err, out.stderr.String())
	}
	_, out, err = n.eval(context.Background(), "%mod -json")
	if err != nil || !strings.Contains(strings.Join(out.shown, ""), `[{"path":"example.com/greet","version":"v1.0.0","sum":"h1:`) {
		t.Errorf("%%mod -json shows %v, %v", out.shown, err)
	}
	kept[0].Sum = "h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
	_, _, err = openWith(t, interp.Modules{Kept: kept, Recorded: true}).eval(context.Background(), hello)
	if err == nil || !strings.Contains(err.Error(), "but the notebook lists h1:") {
		t.Errorf("got %v", err)
	}
}

func contentOf(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
