package execute

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// shower shows a slider under a different name each time.
type shower struct{ id string }

func (s shower) Eval(_ context.Context, cell evaluator.Cell, out evaluator.Output) (evaluator.Result, error) {
	c := out.(display.Channel)
	send := func(kind, id, data string, buffers ...[]byte) {
		if err := c.Comm(display.CommMessage{Kind: kind, ID: id, Data: json.RawMessage(data), Buffers: buffers}); err != nil {
			panic(err)
		}
	}
	if cell.Code == "close" {
		send(display.CommClose, s.id, `{}`)
		return evaluator.Result{}, nil
	}
	send(display.CommOpen, s.id+"l", `{"state":{"_model_name":"LayoutModel","_model_module":"@jupyter-widgets/base","_model_module_version":"2.0.0"}}`)
	send(display.CommOpen, s.id, fmt.Sprintf(`{"state":{"_model_name":"ImageModel","value":1,"layout":"IPY_MODEL_%sl"},"buffer_paths":[["value"]]}`, s.id), []byte("old"))
	send(display.CommData, s.id, `{"method":"update","state":{"format":"png"},"buffer_paths":[["value"]]}`, []byte("new"))
	send(display.CommData, s.id, `{"method":"custom","content":3}`)
	b := display.Bundle{Data: map[string]any{"text/plain": "a picture", mimeView: map[string]any{"model_id": s.id}}}
	return evaluator.Result{Value: &b}, nil
}

func TestWidgetsAreKept(t *testing.T) {
	run := func(id string, sources ...string) string {
		nb := &notebook.Notebook{Metadata: map[string]any{"widgets": map[string]any{mimeState: "of an earlier run"}}}
		for _, s := range sources {
			nb.Cells = append(nb.Cells, &notebook.Cell{ID: s, Type: notebook.Code, Source: s})
		}
		if _, err := Notebook(context.Background(), nb, shower{id}, Options{}); err != nil {
			t.Fatal(err)
		}
		b, err := nb.Encode()
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	one := run("4711", "show")
	for _, want := range []string{`"model_id": "widget-2"`, `"layout": "IPY_MODEL_widget-1"`, `"data": "bmV3"`, `"format": "png"`, `"model_module": "@jupyter-widgets/base"`, `"version_major": 2`} {
		if !strings.Contains(one, want) {
			t.Errorf("the notebook has no %s:\n%s", want, one)
		}
	}
	if one != run("0815", "show") {
		t.Error("the same notebook run twice is not the same")
	}
	if gone := run("4711", "show", "close"); strings.Contains(gone, `"ImageModel"`) {
		t.Errorf("a closed widget is kept:\n%s", gone)
	}
	if none := run("4711"); strings.Contains(none, "widget") {
		t.Errorf("the state of an earlier run is left:\n%s", none)
	}
}
