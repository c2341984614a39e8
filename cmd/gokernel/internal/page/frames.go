package page

import (
	_ "embed"
	"encoding/json"
	"html"
	"html/template"
	"maps"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// framesJS makes the controls of Interact work without a kernel.
//
//go:embed frames.js
var framesJS string

// interactive shows an Interact widget with its outputs for all positions of its controls. The
// initial output is in the page, even if no script runs. The others are templates, which the script
// puts in its place. It returns false if the output is something else, or the notebook has no
// frames of it.
func (d *document) interactive(o *notebook.Output) (Output, bool) {
	view, _ := o.Data[widgetView].(map[string]any)
	id, _ := view["model_id"].(string)
	f := d.frames[id]
	if f == nil {
		return Output{}, false
	}
	line := controls(o)
	plain := *o
	plain.Data = maps.Clone(o.Data)
	delete(plain.Data, widgetView)
	note := template.HTML("")
	if f.Note != "" {
		note = template.HTML(`<p class="note">` + html.EscapeString(f.Note) + `</p>`)
	}
	if len(f.Table) == 0 {
		out, ok := d.output(&plain)
		out.HTML = line + out.HTML + note
		return out, ok
	}
	d.moves = true
	start := f.Table[f.Start()]
	out := d.parts(f.List[start])
	out.Class = "interact"
	var b strings.Builder
	b.WriteString(string(line))
	b.WriteString(`<div class="frame">` + string(out.HTML) + `</div>`)
	for i, frame := range f.List {
		if i != start {
			b.WriteString(`<template data-frame="` + strconv.Itoa(i) + `">` + string(d.parts(frame).HTML) + `</template>`)
		}
	}
	data, err := json.Marshal(notebook.Frames{Controls: f.Controls, Table: f.Table}) // with < and > escaped
	if err != nil {
		return Output{}, false // strings and numbers can always be encoded
	}
	b.WriteString(`<script type="application/json">` + string(data) + `</script>` + string(note))
	out.HTML = template.HTML(b.String())
	return out, true
}

// parts shows outputs below each other. The picture is the first picture among them.
func (d *document) parts(outputs []*notebook.Output) Output {
	var all Output
	var b strings.Builder
	for _, o := range outputs {
		out, ok := d.output(o)
		if !ok {
			continue
		}
		if all.Address == "" {
			all = out
		}
		b.WriteString(`<div class="output ` + out.Class + `">` + string(out.HTML) + `</div>`)
	}
	all.HTML = template.HTML(b.String())
	return all
}
