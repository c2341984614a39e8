// Package proxytest serves modules to tests. It provides a module proxy and a checksum database on
// the loopback interface, and settings that prevent other network access.
package proxytest

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
	"golang.org/x/mod/sumdb"
	"golang.org/x/mod/sumdb/dirhash"
	"golang.org/x/mod/sumdb/note"
	modzip "golang.org/x/mod/zip"
	"golang.org/x/tools/txtar"
)

// Server is a proxy with a checksum database, both at URL.
type Server struct {
	URL string
	// SumDB is the required value of GOSUMDB.
	SumDB string

	mu       sync.Mutex
	modules  map[module.Version]*held
	requests []string
	fault    func(w http.ResponseWriter, r *http.Request) bool
}

type held struct {
	mod, zip       []byte
	modSum, zipSum string
}

// New serves the modules of an archive, whose files are named "path@version/file".
func New(tb testing.TB, archive string) *Server {
	tb.Helper()
	s := &Server{modules: map[module.Version]*held{}}
	s.Add(tb, archive)
	private, public, err := note.GenerateKey(nil, "sums.example.com")
	if err != nil {
		tb.Fatal(err)
	}
	sums := sumdb.NewServer(sumdb.NewTestServer(private, s.sums))
	mux := http.NewServeMux()
	for _, p := range sumdb.ServerPaths {
		mux.Handle(p, sums)
	}
	mux.HandleFunc("/", s.serve)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.requests = append(s.requests, r.URL.Path)
		fault := s.fault
		s.mu.Unlock()
		if fault == nil || !fault(w, r) {
			mux.ServeHTTP(w, r)
		}
	}))
	tb.Cleanup(server.Close)
	s.URL, s.SumDB = server.URL, public+" "+server.URL
	return s
}

// Add adds modules.
func (s *Server) Add(tb testing.TB, archive string) {
	tb.Helper()
	files := map[module.Version][]modzip.File{}
	mods := map[module.Version][]byte{}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		at := strings.Index(f.Name, "@")
		slash := at + strings.Index(f.Name[at:], "/")
		m := module.Version{Path: f.Name[:at], Version: f.Name[at+1 : slash]}
		name := f.Name[slash+1:]
		files[m] = append(files[m], file{name, f.Data})
		if name == "go.mod" {
			mods[m] = f.Data
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for m, list := range files {
		h := &held{mod: mods[m]}
		if h.mod == nil {
			h.mod = fmt.Appendf(nil, "module %s\n", m.Path)
		}
		var b bytes.Buffer
		if err := modzip.Create(&b, m, list); err != nil {
			tb.Fatal(err)
		}
		h.zip = b.Bytes()
		tmp := filepath.Join(tb.TempDir(), "m.zip")
		if err := os.WriteFile(tmp, h.zip, 0o600); err != nil {
			tb.Fatal(err)
		}
		var err error
		if h.zipSum, err = dirhash.HashZip(tmp, dirhash.Hash1); err != nil {
			tb.Fatal(err)
		}
		h.modSum, err = dirhash.Hash1([]string{"go.mod"}, func(string) (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(h.mod)), nil
		})
		if err != nil {
			tb.Fatal(err)
		}
		s.modules[m] = h
	}
}

// Setenv makes this proxy the only source of modules for the test: the module cache and PATH are
// empty.
func (s *Server) Setenv(tb testing.TB) {
	tb.Helper()
	cache := tb.TempDir()
	for name, value := range map[string]string{
		"GOPROXY": s.URL, "GOSUMDB": s.SumDB, "GOMODCACHE": filepath.Join(cache, "mod"), "GOPATH": cache,
		"GOENV": "off", "GOFLAGS": "", "GOWORK": "", "GOPRIVATE": "", "GONOPROXY": "", "GONOSUMDB": "", "PATH": "",
		"HTTP_PROXY": "", "HTTPS_PROXY": "",
	} {
		tb.Setenv(name, value)
	}
}

// Fault makes the server call f first, which reports whether it has answered the request. A nil f
// ends this.
func (s *Server) Fault(f func(w http.ResponseWriter, r *http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = f
}

// Requests returns the requested paths, and clears the list.
func (s *Server) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.requests
	s.requests = nil
	return list
}

// sums returns the go.sum lines of a version.
func (s *Server) sums(path, version string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.modules[module.Version{Path: path, Version: version}]
	if h == nil {
		return nil, os.ErrNotExist
	}
	return fmt.Appendf(nil, "%[1]s %[2]s %[3]s\n%[1]s %[2]s/go.mod %[4]s\n", path, version, h.zipSum, h.modSum), nil
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	escaped, file, ok := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/@")
	p, err := module.UnescapePath(escaped)
	if !ok || err != nil {
		http.NotFound(w, r)
		return
	}
	var versions []string
	for m := range s.modules {
		if m.Path == p {
			versions = append(versions, m.Version)
		}
	}
	sort.Slice(versions, func(i, j int) bool { return semver.Compare(versions[i], versions[j]) < 0 })
	if len(versions) == 0 {
		http.NotFound(w, r)
		return
	}
	switch file {
	case "v/list":
		fmt.Fprintln(w, strings.Join(versions, "\n"))
		return
	case "latest":
		s.info(w, versions[len(versions)-1])
		return
	}
	name := strings.TrimPrefix(file, "v/")
	ext := path.Ext(name)
	v, err := module.UnescapeVersion(strings.TrimSuffix(name, ext))
	h := s.modules[module.Version{Path: p, Version: v}]
	if err != nil || h == nil {
		http.NotFound(w, r)
		return
	}
	switch ext {
	case ".info":
		s.info(w, v)
	case ".mod":
		w.Write(h.mod)
	case ".zip":
		w.Write(h.zip)
	default:
		http.NotFound(w, r)
	}
}

func (s *Server) info(w io.Writer, version string) {
	fmt.Fprintf(w, `{"Version":%q,"Time":"2026-01-02T03:04:05Z"}`, version)
}

// file is a file of a module, for package zip.
type file struct {
	name string
	data []byte
}

func (f file) Path() string                 { return f.name }
func (f file) Lstat() (os.FileInfo, error)  { return info{f}, nil }
func (f file) Open() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(f.data)), nil }

type info struct{ f file }

func (i info) Name() string       { return path.Base(i.f.name) }
func (i info) Size() int64        { return int64(len(i.f.data)) }
func (i info) Mode() os.FileMode  { return 0o644 }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return false }
func (i info) Sys() any           { return nil }
