package compile

import (
	"os"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// SettingDirective begins a line like //go:debug panicnil=1.
const SettingDirective = "//go:debug"

// findSettings finds the settings of GODEBUG that a cell asks for.
func (c *Compiler) findSettings(p *Program) *evaluator.Error {
	if !strings.Contains(p.Src.Text, SettingDirective) {
		return nil
	}
	var errs []check.Error
	for _, d := range directives(p.Src.Text, SettingDirective, p.Src.Base) {
		setting := strings.TrimSpace(d.text)
		name, value, ok := strings.Cut(setting, "=")
		msg, hint := "", ""
		switch {
		case !ok || strings.ContainsAny(setting, " \t,\"'`"):
			msg, hint = "invalid //go:debug", "it is written like //go:debug panicnil=1"
		case !settings()[name]:
			msg, hint = "unknown //go:debug setting "+name, "go.dev/doc/godebug lists those that there are"
		default:
			p.Settings = append(p.Settings, name+"="+value)
			continue
		}
		errs = append(errs, check.Error{Pos: d.pos, End: d.end, Msg: msg, Hint: hint})
	}
	if len(errs) > 0 {
		return c.Advice.Present(p.Src, errs, nil)
	}
	return nil
}

// settings are the names of GODEBUG that this Go knows: it counts how often each has
// changed what a program does.
var settings = sync.OnceValue(func() map[string]bool {
	known := map[string]bool{}
	for _, d := range metrics.All() {
		if name, ok := strings.CutPrefix(d.Name, "/godebug/non-default-behavior/"); ok {
			name, _, _ = strings.Cut(name, ":")
			known[name] = true
		}
	}
	return known
})

// useSettings lets the session have the settings of a cell from now on. What the
// environment says comes first, as in a program.
func useSettings(list []string) error {
	if len(list) == 0 {
		return nil
	}
	if now := os.Getenv("GODEBUG"); now != "" {
		list = append(slices.Clone(list), now)
	}
	return os.Setenv("GODEBUG", strings.Join(list, ","))
}
