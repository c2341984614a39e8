package page

import (
	_ "embed"
	"encoding/json"
	"html"
	"html/template"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/internal/pattern"
)

// These are the MIME types of widgets in outputs, and of their state in the notebook.
const (
	widgetView  = "application/vnd.jupyter.widget-view+json"
	widgetState = "application/vnd.jupyter.widget-state+json"
)

// widgetJS provides the model of an anywidget widget without a kernel.
//
//go:embed widget.js
var widgetJS string

// widgetStates returns the models in a notebook by their names.
func widgetStates(nb *notebook.Notebook) map[string]any {
	all, _ := nb.Metadata["widgets"].(map[string]any)
	kept, _ := all[widgetState].(map[string]any)
	models, _ := kept["state"].(map[string]any)
	return models
}

// ownWidget shows a widget that has its own JavaScript. It returns false if the output is something
// else, or if the notebook is not trusted. In a browser without JavaScript, the page shows the
// widget's text.
func (d *document) ownWidget(o *notebook.Output) (Output, bool) {
	view, _ := o.Data[widgetView].(map[string]any)
	id, _ := view["model_id"].(string)
	model, _ := d.widgets[id].(map[string]any)
	state, _ := model["state"].(map[string]any)
	if !d.opt.Trust || model["model_module"] != "anywidget" || state["_esm"] == nil {
		return Output{}, false
	}
	b, err := json.Marshal(state)
	if err != nil {
		return Output{}, false // it has been read from JSON
	}
	text, _ := o.Data["text/plain"].(string)
	return Output{Class: "html", HTML: template.HTML(`<div data-state="` + html.EscapeString(string(b)) + `">` + string(pre(text)) +
		`<script>{` + widgetJS + `}</script></div>`)}, true
}

// sameAsOthers matches the HTML of a widget with the same content as the output's other types.
var sameAsOthers = pattern.New(`^<\w+ class="gokernel-same"`)

// withoutHint returns the HTML of a widget without the hint for frontends without widgets. It
// returns false if the other types of the output show the same.
func withoutHint(s string) (string, bool) {
	if !strings.HasPrefix(s, `<div class="gokernel-no-widgets"`) {
		return s, true
	}
	_, s, _ = strings.Cut(s, "</div>\n")
	return s, !sameAsOthers().MatchString(s)
}

// controlLine matches the text of a control: its name, its value and its kind.
var controlLine = pattern.New(`^(.+ = .*) \([A-Z][A-Za-z]+( .*)?\)$`)

// controls returns the values with which an interactive output was created, or "" if the output is
// not interactive.
func controls(o *notebook.Output) template.HTML {
	if _, ok := o.Data[widgetView]; !ok {
		return ""
	}
	text, _ := o.Data["text/plain"].(string)
	var values []string
	for line := range strings.Lines(text) {
		m := controlLine().FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			break
		}
		values = append(values, html.EscapeString(m[1]))
	}
	if len(values) == 0 {
		return ""
	}
	return template.HTML(`<p class="controls">` + strings.Join(values, " · ") + `</p>`)
}
