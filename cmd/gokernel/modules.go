package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/execute"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/interp"
	"github.com/gokernel/gokernel/interp/modules"
	"github.com/spf13/pflag"
)

// moduleRules configures where a session finds packages that are not compiled into the kernel.
type moduleRules struct {
	kept    string // the versions that the notebook has recorded, in JSON; "" if nothing records them
	offline bool   // whether fetching is disabled
}

func (r *moduleRules) addTo(fs *pflag.FlagSet) {
	fs.StringVar(&r.kept, "modules", "", "the module versions recorded in the notebook, in JSON")
	fs.BoolVar(&r.offline, "offline", false, "fetch no modules")
}

// args returns the arguments that pass the rules to an evaluator.
func (r moduleRules) args() []string {
	var list []string
	if r.kept != "" {
		list = append(list, "--modules", r.kept)
	}
	if r.offline {
		list = append(list, "--offline")
	}
	return list
}

// options returns the options for a session.
func (r moduleRules) options() (interp.Modules, error) {
	opt := interp.Modules{Recorded: r.kept != ""}
	if r.offline {
		opt.Env = func() modules.Env {
			env := modules.ReadEnv()
			env.Offline = true
			return env
		}
	}
	text := r.kept
	if text == "" {
		text = versionsOf(os.Getenv("JPY_SESSION_NAME"))
	}
	if text == "" {
		return opt, nil
	}
	if err := json.Unmarshal([]byte(text), &opt.Kept); err != nil {
		return opt, fmt.Errorf("the module versions recorded in the notebook can't be read: %w", err)
	}
	return opt, nil
}

// versionsOf returns the versions recorded in a notebook. The name is the name of the notebook that
// Jupyter's server passes to the kernel. versionsOf returns "" if there is no such file, or if the
// file records no versions.
func versionsOf(name string) string {
	if !strings.HasSuffix(name, ".ipynb") {
		return ""
	}
	nb, err := readNotebook("kernel", name)
	if err != nil {
		return ""
	}
	if text := recordedVersions(nb); text != "[]" {
		return text
	}
	return ""
}

// These are the keys of the versions in the metadata of a notebook.
const (
	ownMetadata     = "gokernel"
	modulesMetadata = "modules"
)

// recordedVersions returns the versions that a notebook has recorded, in JSON.
func recordedVersions(nb *notebook.Notebook) string {
	own, _ := nb.Metadata[ownMetadata].(map[string]any)
	data, err := json.Marshal(own[modulesMetadata])
	if err != nil || own[modulesMetadata] == nil {
		return "[]"
	}
	return string(data)
}

// recordVersions stores the versions that a session has used in the notebook, if there is no
// go.mod.
func recordVersions(ctx context.Context, nb *notebook.Notebook, ev execute.Evaluator) error {
	c := &notebook.Cell{Type: notebook.Code, Source: "%mod -json"}
	r := execute.NewRunner(ev)
	defer r.Close()
	if err := r.Cell(ctx, c, 0); err != nil {
		return fmt.Errorf("the module versions can't be recorded: %w", err)
	}
	for _, o := range c.Outputs {
		if list, ok := o.Data[interp.MIMEModules]; ok {
			own, _ := nb.Metadata[ownMetadata].(map[string]any)
			if own == nil {
				own = map[string]any{}
			}
			own[modulesMetadata] = list
			if nb.Metadata == nil {
				nb.Metadata = map[string]any{}
			}
			nb.Metadata[ownMetadata] = own
		}
	}
	return nil
}
