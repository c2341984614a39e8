package widget

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
)

//go:embed models.txt
var modelsText string

// class is a kind of model that the frontend knows.
type class struct {
	name, module, version string // "IntSlider", "@jupyter-widgets/controls", "2.0.0"
	view, viewModule      string // "" if it has no view
	style                 string // the class of its style, "" if it has none
	layout                bool
	traits                map[string]trait
	open                  bool // accepts traits of any name, for third-party widgets
}

// trait describes one trait of a class.
type trait struct {
	kind byte // as in models.txt
	null bool
	init any // default value, as JSON decodes it
}

const (
	baseModule     = "@jupyter-widgets/base"
	controlsModule = "@jupyter-widgets/controls"
	outputModule   = "@jupyter-widgets/output"
)

// classes parses models.txt once.
var classes = sync.OnceValue(func() map[string]*class {
	all := map[string]*class{}
	for line := range strings.Lines(modelsText) {
		fields := strings.Fields(line)
		if len(fields) < 4 || fields[0] == "#" {
			continue
		}
		c := &class{name: fields[0], module: "@jupyter-widgets/" + fields[1], version: "2.0.0", traits: map[string]trait{}}
		if c.module == outputModule {
			c.version = "1.0.0"
		}
		c.viewModule = c.module
		if fields[2] != "-" {
			c.view = fields[2]
		}
		if c.view == "StyleView" {
			c.viewModule = baseModule
		}
		if fields[3] != "-" {
			c.style = fields[3]
		}
		for _, f := range fields[4:] {
			name, rest, _ := strings.Cut(f, ":")
			kind, init, _ := strings.Cut(rest, "=")
			t := trait{kind: kind[0], null: strings.HasSuffix(kind, "?")}
			if err := json.Unmarshal([]byte(init), &t.init); err != nil {
				panic(fmt.Sprintf("widget: models.txt: %s.%s: %v", c.name, name, err))
			}
			c.traits[name] = t
		}
		c.layout = c.view != "" && c.view != "StyleView" && c.view != "LayoutView"
		if strings.Contains(line, "Select") || c.name == "Dropdown" || c.name == "RadioButtons" || c.name == "ToggleButtons" {
			c.traits["_options_labels"] = trait{kind: 'a', init: []any{}}
		}
		all[c.name] = c
	}
	return all
})

// known lists the traits of a class, for errors.
func (c *class) known() string {
	names := make([]string, 0, len(c.traits))
	for n := range c.traits {
		if !strings.HasPrefix(n, "_") {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// check returns an error if v is not a valid value of the trait.
func (c *class) check(name string, v any) error {
	t, ok := c.traits[name]
	if !ok {
		if c.open {
			return nil
		}
		return fmt.Errorf("widget: a %s has no trait %q: use one of %s", c.name, name, c.known())
	}
	if v == nil {
		if t.null || t.kind == 'r' {
			return nil
		}
		return fmt.Errorf("widget: %[1]s of a %[2]s must be %[3]s, got nil", name, c.name, kindNames[t.kind])
	}
	fits := true
	switch v.(type) {
	case bool:
		fits = t.kind == 'b'
	case int:
		fits = t.kind == 'i' || t.kind == 'f'
	case float64:
		fits = t.kind == 'f'
	case string:
		fits = t.kind == 's' || t.kind == 'd'
	case []byte:
		fits = t.kind == 'y'
	}
	if !fits {
		return fmt.Errorf("widget: %s of a %s must be %s, got a %T", name, c.name, kindNames[t.kind], v)
	}
	return nil
}

var kindNames = map[byte]string{'i': "an int", 'f': "a float64", 'b': "a bool", 's': "a string", 'a': "a slice", 'y': "bytes", 'd': "a time.Time", 'r': "a widget", 'o': "a map"}
