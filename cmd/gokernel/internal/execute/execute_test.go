package execute

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/kernel/evaluator"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// script evaluates cells that contain the name of an action.
type script struct{ late evaluator.Output }

func (s *script) Eval(ctx context.Context, cell evaluator.Cell, out evaluator.Output) (evaluator.Result, error) {
	text := func(s string) display.Bundle {
		return display.Bundle{Data: map[string]any{"text/plain": s}}
	}
	named := func(s, id string) display.Bundle {
		b := text(s)
		b.Transient = map[string]any{"display_id": id}
		return b
	}
	switch cell.Code {
	case "print":
		out.Stdout("a")
		out.Stdout("b\n")
		out.Stderr("c")
	case "value":
		b := text("5")
		b.Data["image/png"] = []byte{1, 2, 3}
		b.Data["application/json"] = map[string]int{"z": 1, "a": 2}
		return evaluator.Result{Value: &b}, nil
	case "bad value":
		b := text("5")
		b.Data["image/svg+xml"] = 5
		return evaluator.Result{Value: &b}, nil
	case "show":
		return evaluator.Result{}, out.Display(named("first", "d1"))
	case "update":
		return evaluator.Result{}, out.Update(named("second", "d1"))
	case "clear":
		out.Stdout("gone")
		out.Clear(false)
		out.Stdout("kept")
	case "clear wait":
		out.Stdout("gone")
		out.Clear(true)
		out.Stdout("kept")
	case "fail":
		return evaluator.Result{}, &evaluator.Error{Name: "panic", Value: "boom", Traceback: []string{"panic: boom"}}
	case "wait":
		<-ctx.Done()
		return evaluator.Result{}, &evaluator.Error{Name: "interrupted", Value: "line 1", Traceback: []string{"interrupted: line 1"}}
	case "input":
		_, err := out.Input(ctx, "?", false)
		return evaluator.Result{}, err
	case "much":
		for range textLimit/1024 + 100 {
			out.Stdout(strings.Repeat("x", 1024))
		}
	case "late":
		s.late = out
	default:
		return evaluator.Result{}, fmt.Errorf("no such cell %q", cell.Code)
	}
	return evaluator.Result{}, nil
}

func book(cells ...string) *notebook.Notebook {
	nb := &notebook.Notebook{}
	for _, src := range cells {
		c := &notebook.Cell{Type: notebook.Code, Source: src, Count: 99, Outputs: []*notebook.Output{{Type: notebook.Stream, Name: "stdout", Text: "old"}}}
		if src, ok := strings.CutPrefix(src, "expected "); ok {
			c.Source = src
			c.Metadata = map[string]any{"tags": []any{"raises-exception"}}
		}
		if src, ok := strings.CutPrefix(src, "# "); ok {
			c = &notebook.Cell{Type: notebook.Markdown, Source: src}
		}
		nb.Cells = append(nb.Cells, c)
	}
	return nb
}

func TestOutputs(t *testing.T) {
	stream := func(name, text string) *notebook.Output {
		return &notebook.Output{Type: notebook.Stream, Name: name, Text: text}
	}
	show := func(text string) *notebook.Output {
		return &notebook.Output{Type: notebook.DisplayData, Data: map[string]any{"text/plain": text}}
	}
	nb := book("# title", "print", "", "value", "show", "update", "clear", "clear wait")
	res, err := Notebook(context.Background(), nb, &script{}, Options{})
	if err != nil || res != (Result{Cells: 6}) {
		t.Fatalf("got %+v, %v", res, err)
	}
	want := [][]*notebook.Output{
		nil,
		{stream("stdout", "ab\n"), stream("stderr", "c")},
		nil,
		{{Type: notebook.ExecuteResult, Count: 2, Data: map[string]any{"text/plain": "5", "image/png": "AQID", "application/json": map[string]any{"a": num("2"), "z": num("1")}}}},
		{show("second")},
		nil,
		{stream("stdout", "kept")},
		{stream("stdout", "kept")},
	}
	var got [][]*notebook.Output
	var counts []int
	for _, c := range nb.Cells {
		got = append(got, c.Outputs)
		counts = append(counts, c.Count)
	}
	if d := cmp.Diff(want, got, cmpopts.IgnoreUnexported(notebook.Output{})); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if d := cmp.Diff([]int{0, 1, 0, 2, 3, 4, 5, 6}, counts); d != "" {
		t.Errorf("execution counts (-want +got):\n%s", d)
	}
}

func TestFailures(t *testing.T) {
	tests := []struct {
		name  string
		cells []string
		opt   Options
		want  Result
		last  string // ename of the last cell that has outputs
	}{
		{"stops", []string{"print", "fail", "value"}, Options{}, Result{Cells: 2, Failed: 1}, "panic"},
		{"goes on", []string{"fail", "fail"}, Options{AllowErrors: true}, Result{Cells: 2, Failed: 2}, "panic"},
		{"expected", []string{"expected fail", "value", "expected fail"}, Options{}, Result{Cells: 3}, "panic"},
		{"timeout", []string{"wait", "value"}, Options{Timeout: 10 * time.Millisecond}, Result{Cells: 1, Failed: 1}, "timeout"},
		{"input", []string{"input"}, Options{}, Result{Cells: 1, Failed: 1}, "error"},
		{"value that a notebook cannot hold", []string{"bad value"}, Options{}, Result{Cells: 1, Failed: 1}, "error"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			nb := book(test.cells...)
			got, err := Notebook(context.Background(), nb, &script{}, test.opt)
			if err != nil || got != test.want {
				t.Errorf("got %+v, %v, want %+v", got, err, test.want)
			}
			var last *notebook.Output
			for _, c := range nb.Cells {
				if n := len(c.Outputs); n > 0 {
					last = c.Outputs[n-1]
				}
			}
			if last.ErrorName != test.last || len(last.Traceback) == 0 {
				t.Errorf("last output: got %+v, want a %s", last, test.last)
			}
		})
	}
}

func TestProgressIsTold(t *testing.T) {
	nb := book("", "print", "# text", " ", "fail", "value")
	var told []string
	opt := Options{
		AllowErrors: true,
		Begin:       func(i int, c *notebook.Cell) { told = append(told, fmt.Sprint("begin ", i, " ", c.Source)) },
		End: func(i int, c *notebook.Cell, _ time.Duration, err error) {
			told = append(told, fmt.Sprint("end ", i, " ", c.Source, " ", err))
		},
	}
	if _, err := Notebook(context.Background(), nb, &script{}, opt); err != nil {
		t.Fatal(err)
	}
	want := []string{"begin 0 print", "end 0 print <nil>", "begin 1 fail", "end 1 fail panic: boom", "begin 2 value", "end 2 value <nil>"}
	if d := cmp.Diff(want, told); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestContextEndsTheRun(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(10*time.Millisecond, cancel)
	nb := book("wait", "value")
	res, err := Notebook(ctx, nb, &script{}, Options{AllowErrors: true})
	if !errors.Is(err, context.Canceled) || res.Cells != 1 {
		t.Errorf("got %+v, %v, want the context's error after one cell", res, err)
	}
	if got := nb.Cells[0].Outputs[0].ErrorName; got != "interrupted" {
		t.Errorf("ename: got %s, want interrupted", got)
	}
}

func TestTextIsBounded(t *testing.T) {
	nb := book("much")
	if _, err := Notebook(context.Background(), nb, &script{}, Options{}); err != nil {
		t.Fatal(err)
	}
	text := nb.Cells[0].Outputs[0].Text
	if len(text) > textLimit+1024 || !strings.HasSuffix(text, "left out: it is more than 16 MB]\n") {
		t.Errorf("got %d bytes that end in %q", len(text), text[len(text)-80:])
	}
}

func TestLateOutputDoesNotChangeTheNotebook(t *testing.T) {
	s := &script{}
	nb := book("late")
	if _, err := Notebook(context.Background(), nb, s, Options{}); err != nil {
		t.Fatal(err)
	}
	s.late.Stdout("late")
	s.late.Display(display.Bundle{Data: map[string]any{"text/plain": "late"}})
	if n := len(nb.Cells[0].Outputs); n != 0 {
		t.Errorf("got %d outputs, want none", n)
	}
}

func TestLanguage(t *testing.T) {
	for lang, ok := range map[string]bool{"": true, "go": true, "Go": true, "python": false} {
		nb := &notebook.Notebook{Metadata: map[string]any{"kernelspec": map[string]any{"language": lang}}}
		if err := Language(nb); (err == nil) != ok {
			t.Errorf("%q: got %v", lang, err)
		}
	}
}

func num(s string) json.Number { return json.Number(s) }
