package complete

import (
	"strconv"
	"strings"
	"sync"

	"github.com/gokernel/gokernel/interp/cursor"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// withModules returns what the cell can refer to if it imports the packages of Modules that it
// names. Names of the session and packages that need no import line take precedence.
func (c *collector) withModules() *cursor.Env {
	env := c.env.Env
	if c.env.Modules == nil {
		return &env
	}
	c.missing = map[string]string{}
	c.packages = sync.OnceValue(c.env.Modules)
	env.ImportPath = func(name string, members []string) (string, bool) {
		if path, ok := c.env.ImportPath(name, members); ok {
			return path, true
		}
		for _, p := range c.packages() {
			if p.Name == name {
				c.env.Load(p.Path)
				c.missing[name] = p.Path
				return p.Path, true
			}
		}
		return "", false
	}
	return &env
}

// modules lists the packages of Modules that match what is typed.
func (c *collector) modules(code string) {
	if c.packages == nil || c.prefix == "" || c.place == nil {
		return
	}
	for _, p := range c.packages() {
		m := evaluator.Match{Text: p.Name, Kind: "module", Signature: p.Path, Import: p.Path}
		if strings.Contains(code, strconv.Quote(p.Path)) {
			m.Import = "" // the cell has an import declaration
		}
		c.add(m, rankOther)
	}
}
