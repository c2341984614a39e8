package pipeline

import (
	"fmt"
	"go/version"
	"maps"
	"os"
	"path/filepath"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/modules"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// SettingDirective begins a line like //go:debug panicnil=1.
const SettingDirective = "//go:debug"

// settings contains the GODEBUG settings of the notebook's module and its cells. The environment
// takes precedence over them, as in a program.
type settings struct {
	read    bool              // the settings of the module are known
	notes   []string          // notes about the module's settings, until a cell runs
	asked   map[string]string // settings by name; "default" is the version of Go whose defaults apply
	env     string            // GODEBUG of the environment
	written string            // the value last written to the environment
}

// findSettings finds the GODEBUG settings in a cell and, before the first cell, those of the
// notebook's module.
func (c *Compiler) findSettings(p *Program) *evaluator.Error {
	if !c.settings.read {
		var list []string
		list, c.settings.notes = c.ModuleSettings()
		c.settings.read = true
		c.settings.add(list)
	}
	p.Notes = append(p.Notes, c.settings.notes...)
	if !strings.Contains(p.Src.Text, SettingDirective) {
		return nil
	}
	var errs []check.Error
	for _, d := range directives(p.Src.Text, SettingDirective, p.Src.Base) {
		setting := strings.TrimSpace(d.text)
		name, _, ok := strings.Cut(setting, "=")
		msg, hint := "", ""
		if !ok || strings.ContainsAny(setting, " \t,\"'`") {
			msg, hint = "invalid //go:debug", "write it like //go:debug panicnil=1"
		} else if why, what := wrongSetting(setting); why != "" {
			msg, hint = "//go:debug "+name+": "+why, what
		}
		if msg == "" {
			p.Settings = append(p.Settings, setting)
			continue
		}
		errs = append(errs, check.Error{Pos: d.pos, End: d.end, Msg: msg, Hint: hint})
	}
	if len(errs) > 0 {
		return c.Advice.Present(p.Src, errs, nil)
	}
	return nil
}

// ModuleSettings returns the GODEBUG settings from the go line and the godebug lines of the
// notebook's module or workspace, and notes about settings that can't be applied. If the file can't
// be read, the next cell with an import reports it.
func (c *Compiler) ModuleSettings() (list, notes []string) {
	file, asked, err := c.Sources.Settings()
	if err != nil {
		return nil, nil
	}
	for _, s := range asked {
		if why, what := wrongSetting(s); why != "" {
			notes = append(notes, fmt.Sprintf("note: the line godebug %s of %s is left out: %s; %s", s, filepath.Base(file), why, what))
			continue
		}
		list = append(list, s)
	}
	return list, notes
}

// wrongSetting explains why a setting like "panicnil=1" can't be applied, and what to do. It
// returns "" if the setting can be applied.
func wrongSetting(setting string) (why, what string) {
	name, value, _ := strings.Cut(setting, "=")
	s, listed := defaults[name]
	switch {
	case name == "default" && (!version.IsValid(value) || version.Compare(version.Lang(value), "go"+modules.Language()) > 0):
		return fmt.Sprintf("%q is not a version of Go up to go%s", value, modules.Language()), "write it like default=go1.21"
	case name == "default":
		return "", ""
	case s.fixed:
		return "it takes effect only when a program starts", "set GODEBUG in the environment in which you start the kernel"
	case s.own:
		return "the kernel itself checks cells with go/types", "set GODEBUG in the environment of a program of your own"
	case !listed && !counted()[name]:
		return "there is no such setting", "go.dev/doc/godebug lists the settings"
	}
	return "", ""
}

// counted returns the settings for which this version of Go counts non-default behavior.
var counted = sync.OnceValue(func() map[string]bool {
	known := map[string]bool{}
	for _, d := range metrics.All() {
		if name, ok := strings.CutPrefix(d.Name, "/godebug/non-default-behavior/"); ok {
			name, _, _ = strings.Cut(name, ":")
			known[name] = true
		}
	}
	return known
})

// add adds settings; later ones take precedence.
func (s *settings) add(list []string) {
	for _, setting := range list {
		if s.asked == nil {
			s.asked = map[string]string{}
		}
		name, value, _ := strings.Cut(setting, "=")
		s.asked[name] = value
	}
}

// use applies the settings and those of a cell. Cells may have changed the environment since the
// last call.
func (s *settings) use(ofCell []string) error {
	s.notes = nil
	s.add(ofCell)
	now := os.Getenv("GODEBUG")
	if now != s.written {
		s.env = now
	}
	if s.written = s.text(); s.written == now {
		return nil
	}
	return os.Setenv("GODEBUG", s.written)
}

// text returns the settings in the form of GODEBUG, where later ones take precedence.
func (s *settings) text() string {
	all := defaultsOf(s.asked["default"])
	maps.Copy(all, s.asked)
	delete(all, "default")
	var list []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list = append(list, name+"="+all[name])
	}
	if s.env != "" {
		list = append(list, s.env)
	}
	return strings.Join(list, ",")
}

// defaultsOf returns the settings that select the behavior of a version of Go.
func defaultsOf(goVersion string) map[string]string {
	all := map[string]string{}
	minor, err := strconv.Atoi(strings.TrimPrefix(version.Lang(goVersion), "go1."))
	if err != nil {
		return all
	}
	for name, s := range defaults {
		if minor < s.changed && !s.fixed && !s.own {
			all[name] = s.old
		}
	}
	return all
}
