package modules

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/sumdb"
)

// sums contains the known hashes of module versions, from go.sum or the notebook, and from the
// checksum database. The hash of a go.mod belongs to the version with the suffix "/go.mod".
type sums struct {
	build   *Build
	known   map[module.Version][]string
	file    string // the go.sum to extend, or "" if there is none
	changed bool
	client  *sumdb.Client
}

func newSums(b *Build) *sums {
	return &sums{build: b, known: map[module.Version][]string{}}
}

// of returns the known hash of a version, or "".
func (s *sums) of(m module.Version) string {
	if list := s.known[m]; len(list) > 0 {
		return list[0]
	}
	return ""
}

// read reads the go.sum files of a project.
func (s *sums) read(p *project) error {
	var names []string
	if p.work != "" {
		s.file = p.work + ".sum"
		names = append(names, s.file)
	}
	for _, m := range p.mains {
		name := filepath.Join(m.Dir, "go.sum")
		names = append(names, name)
		if s.file == "" {
			s.file = name
		}
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(data)) {
			if f := strings.Fields(line); len(f) == 3 {
				s.add(module.Version{Path: f[0], Version: f[1]}, f[2])
			}
		}
	}
	s.changed = false
	return nil
}

func (s *sums) add(m module.Version, sum string) {
	if !slices.Contains(s.known[m], sum) {
		s.known[m] = append(s.known[m], sum)
		s.changed = true
	}
}

// check compares the hash of existing files with the known one. If files were fetched and have no
// known hash, it queries the checksum database.
func (s *sums) check(m module.Version, sum string, fetched bool) error {
	if list := s.known[m]; len(list) > 0 {
		if slices.Contains(list, sum) {
			return nil
		}
		where := "the notebook"
		if s.file != "" {
			where = "go.sum"
		}
		return mismatch(m, sum, where, list[0])
	}
	if fetched && !s.build.env.isUnsummed(m.Path) {
		lines, err := s.lookup(m)
		if err != nil {
			s.client = nil // it caches failures
			return fmt.Errorf("the checksum of %s cannot be verified: %w", plainVersion(m), err)
		}
		want := ""
		for _, line := range lines {
			if f := strings.Fields(line); len(f) == 3 && f[0] == m.Path && f[1] == m.Version {
				want = f[2]
			}
		}
		if want != sum {
			name, _, _ := strings.Cut(s.build.env.SumDB, "+")
			return mismatch(m, sum, name, want)
		}
	}
	s.add(m, sum)
	return nil
}

func plainVersion(m module.Version) string {
	m.Version = strings.TrimSuffix(m.Version, "/go.mod")
	return m.String()
}

func mismatch(m module.Version, got, where, want string) error {
	file := "zip"
	if strings.HasSuffix(m.Version, "/go.mod") {
		file = "go.mod"
	}
	return fmt.Errorf("the %s of %s is not used, because its checksum is %s, but %s lists %s", file, plainVersion(m), got, where, want)
}

// lookup queries the checksum database.
func (s *sums) lookup(m module.Version) ([]string, error) {
	if s.client == nil {
		ops, err := newSumOps(s.build)
		if err != nil {
			return nil, err
		}
		s.client = sumdb.NewClient(ops)
		s.client.SetGONOSUMDB(s.build.env.NoSumDB)
	}
	return s.client.Lookup(m.Path, m.Version)
}

// sumOps implements the operations that the client of the checksum database needs. It uses the
// files of the go command.
type sumOps struct {
	build     *Build
	name, key string
	base      string // address of the database
	settled   bool   // whether it is known if a proxy forwards requests
}

// publicSumDB is the key of the Go project's database.
const publicSumDB = "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8"

func newSumOps(b *Build) (*sumOps, error) {
	f := strings.Fields(b.env.SumDB)
	if len(f) == 0 || len(f) > 2 {
		return nil, fmt.Errorf("GOSUMDB is %q: it must be a name or a key, followed by an address", b.env.SumDB)
	}
	o := &sumOps{build: b, key: f[0]}
	switch f[0] {
	case "sum.golang.org", "sum.golang.google.cn":
		o.key = publicSumDB
	}
	name, _, ok := strings.Cut(o.key, "+")
	if !ok {
		return nil, fmt.Errorf("GOSUMDB is %q: a checksum database other than the Go project's must be given with its key", b.env.SumDB)
	}
	o.name, o.base = name, "https://"+name
	if f[0] == "sum.golang.google.cn" {
		o.base = "https://sum.golang.google.cn"
	}
	if len(f) == 2 {
		o.base, o.settled = strings.TrimSuffix(f[1], "/"), true
	}
	return o, nil
}

// settle determines whether a proxy forwards requests to the database, and uses it if so.
func (o *sumOps) settle() {
	if o.settled {
		return
	}
	o.settled = true
	for _, e := range o.build.cache.proxies.entries("") {
		if e.url == "" || e.localPath != "" {
			continue
		}
		through := e.url + "/sumdb/" + o.name
		if _, err := o.get(e, through+"/supported"); err == nil {
			o.base = through
			return
		}
	}
}

func (o *sumOps) get(e entry, address string) (data []byte, err error) {
	err = o.build.cache.proxies.request(context.Background(), e, address, func(_ entry, _ string, r io.Reader) (err error) {
		data, err = io.ReadAll(io.LimitReader(r, maxText))
		return err
	})
	if errors.Is(err, errNone) {
		err = fmt.Errorf("%s answered %s", redacted(e.url), http.StatusText(http.StatusNotFound))
	}
	return data, err
}

// ReadRemote implements sumdb.ClientOps.
func (o *sumOps) ReadRemote(path string) ([]byte, error) {
	if o.build.env.Offline {
		return nil, errors.New("the session is offline")
	}
	o.settle()
	if _, err := url.Parse(o.base); err != nil {
		return nil, err
	}
	return o.get(entry{url: o.base}, o.base+path)
}

func (o *sumOps) config(file string) string {
	return filepath.Join(o.build.env.GoPath, "pkg", "sumdb", filepath.FromSlash(file))
}

// ReadConfig implements sumdb.ClientOps.
func (o *sumOps) ReadConfig(file string) ([]byte, error) {
	if file == "key" {
		return []byte(o.key), nil
	}
	data, err := os.ReadFile(o.config(file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// WriteConfig implements sumdb.ClientOps.
func (o *sumOps) WriteConfig(file string, old, new []byte) error {
	if file == "key" {
		return errors.New("the key is not written")
	}
	now, err := o.ReadConfig(file)
	if err != nil {
		return err
	}
	if string(now) != string(old) {
		return sumdb.ErrWriteConflict
	}
	return writeFile(o.config(file), new)
}

func (o *sumOps) cached(file string) string {
	return filepath.Join(o.build.env.ModCache, "cache", "download", "sumdb", filepath.FromSlash(file))
}

// ReadCache implements sumdb.ClientOps.
func (o *sumOps) ReadCache(file string) ([]byte, error) { return os.ReadFile(o.cached(file)) }

// WriteCache implements sumdb.ClientOps.
func (o *sumOps) WriteCache(file string, data []byte) {
	// Data that is not cached is requested again.
	_ = writeFile(o.cached(file), data)
}

// Log implements sumdb.ClientOps.
func (o *sumOps) Log(string) {}

// SecurityError implements sumdb.ClientOps. The lookup also fails with this error.
func (o *sumOps) SecurityError(string) {}
