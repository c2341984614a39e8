package interp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/magic"
	"github.com/gokernel/gokernel/interp/modules"
	"github.com/gokernel/gokernel/interp/query"
	"github.com/gokernel/gokernel/interp/source"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// Modules configures how a session finds packages that are not part of the kernel.
type Modules struct {
	// Env reads the settings. If it is nil, the session calls modules.ReadEnv.
	Env func() modules.Env
	// Kept lists the versions in the notebook's metadata.
	Kept []modules.Requirement
	// Recorded reports that the frontend will add the used versions to the metadata.
	Recorded bool
}

// MIMEModules is the MIME type of the versions that a notebook should record, as the magic %mod
// -json shows them.
const MIMEModules = magic.MIMEModules

// preparer returns a function that loads packages from source for a cell. The session answers
// queries about code while it fetches packages.
func (s *Session) preparer(ctx context.Context, out evaluator.Output) func(paths []string) ([]source.Change, error) {
	return func(paths []string) ([]source.Change, error) {
		s.mu.Unlock()
		defer s.mu.Lock()
		changes, err := s.compiler.Sources.Prepare(ctx, paths, func(line string) { out.Stderr(line + "\n") })
		if err == nil {
			s.tellVersions(out)
		}
		return changes, err
	}
}

// tellVersions reports how to keep versions that are not recorded anywhere.
func (s *Session) tellVersions(out evaluator.Output) {
	if s.recorded {
		return
	}
	for _, r := range s.kept() {
		version := r.Path + "@" + r.Version
		if r.Indirect || s.told[version] {
			continue
		}
		s.noteKept(version)
		out.Stderr(fmt.Sprintf("%s %s is used; %%get %s keeps the version\n", r.Path, r.Version, version))
	}
}

func (s *Session) noteKept(version string) {
	if s.told == nil {
		s.told = map[string]bool{}
	}
	s.told[version] = true
}

// kept returns the versions of used modules that the notebook should record.
func (s *Session) kept() (list []modules.Requirement) {
	s.compiler.Sources.IfOpen(func(b *modules.Build) { list = b.Kept() })
	return list
}

// get requires versions of modules, as %get asks for them.
func (s *Session) get(ctx context.Context, args string, out evaluator.Output) error {
	if strings.TrimSpace(args) == "" {
		return magic.ErrNoQuery
	}
	if s.compiler.Graded {
		return fmt.Errorf("%%get: homework can use only the packages that are compiled into the kernel")
	}
	s.mu.Unlock()
	defer s.mu.Lock()
	return s.compiler.Sources.With(func(b *modules.Build) error {
		b.Progress = func(line string) { out.Stderr(line + "\n") }
		defer func() { b.Progress = nil }()
		for _, arg := range strings.Fields(args) {
			path, query, _ := strings.Cut(arg, "@")
			if source.IsCompiled(path) {
				return fmt.Errorf("%%get: %s is compiled into the kernel, at the version that the kernel was built with", path)
			}
			module, version, err := b.Get(ctx, path, query)
			if err != nil {
				return fmt.Errorf("%%get %s: %w", arg, err)
			}
			if version == "none" {
				out.Stdout(module + " is no longer required\n")
				continue
			}
			s.noteKept(module + "@" + version)
			out.Stdout(module + " " + version + "\n")
		}
		return b.Save()
	})
}

// Modules implements magic.Session.
func (h host) Modules(all bool) (list []magic.Module, err error) {
	err = h.s.compiler.Sources.With(func(b *modules.Build) error {
		for _, m := range b.Used(all) {
			from := m.From
			if m.Replaced != "" {
				from = "replaced by " + m.Replaced
			}
			list = append(list, magic.Module{Path: m.Path, Version: m.Version, From: from, Dir: m.Dir})
		}
		return nil
	})
	return list, err
}

// KeptModules implements magic.Session.
func (h host) KeptModules() []byte {
	list := h.s.kept()
	if len(list) == 0 {
		return nil
	}
	data, err := json.Marshal(list)
	if err != nil {
		return nil
	}
	return data
}

// peek loads the imports of code that has not run yet, to answer queries about it.
func (s *Session) peek(ctx context.Context, code string) {
	if _, ok := s.compiler.Engine.(engine.PackageRunner); ok && !s.compiler.Graded {
		query.Peek(ctx, s.compiler.Sources, code)
	}
}
