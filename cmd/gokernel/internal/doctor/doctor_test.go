package doctor

import (
	"context"
	"strings"
	"testing"
)

func TestWrite(t *testing.T) {
	var b strings.Builder
	Write(&b, Finding{"memory", Note, "100 MB are free\nof 200", "End other kernels."})
	const want = "note   memory    100 MB are free\n" +
		"                 of 200\n" +
		"                 -> End other kernels.\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestCheckLab(t *testing.T) {
	lab, remedy := "/env/bin/jupyter-lab", ""
	p := Patient{
		Lab:     func(context.Context) (string, error) { return lab, nil },
		Widgets: func(context.Context, string) string { return remedy },
	}
	verdicts := func() string {
		var list []string
		for _, f := range checkLab(t.Context(), p) {
			list = append(list, f.Check+" "+string(f.Verdict)+" "+f.Remedy)
		}
		return strings.Join(list, "; ")
	}
	if got, want := verdicts(), "lab ok ; widgets ok "; got != want {
		t.Errorf("with widgets: got %q, want %q", got, want)
	}
	remedy = "pip install jupyterlab_widgets"
	if got, want := verdicts(), "lab ok ; widgets note pip install jupyterlab_widgets"; got != want {
		t.Errorf("without widgets: got %q, want %q", got, want)
	}
	lab = ""
	if got, want := verdicts(), "lab ok "; got != want {
		t.Errorf("without a JupyterLab: got %q, want %q", got, want)
	}
}
