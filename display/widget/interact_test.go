package widget

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/display"
)

func outputs(i *Interactive) []any { o, _ := i.out.Trait("outputs").([]any); return o }

// plainOf returns the text in the area.
func plainOf(i *Interactive) string {
	var b strings.Builder
	for _, o := range outputs(i) {
		o := o.(map[string]any)
		if data, ok := o["data"].(map[string]any); ok {
			fmt.Fprint(&b, data[display.MIMEText], ";")
		} else {
			fmt.Fprint(&b, o["name"], " ", o["ename"], o["text"], ";")
		}
	}
	return b.String()
}

func TestInteract(t *testing.T) {
	f := connect(t)
	type metric string
	calls := 0
	i := Interact(func(k int, m metric, p float64, deep bool) any {
		calls++
		return fmt.Sprint(k, m, p, deep)
	}, ParameterNames{"k", "m", "p", "deep"}, []int{1, 2, 3, 4}, []string{"l1", "l2"}, []float64{0.5, 1, 1.5}, true)
	b := show(t, i)
	if calls != 1 || !strings.HasPrefix(b.Data[display.MIMEText].(string), "k = 1 (IntSlider from 1 to 4)\nm = l1 (Dropdown of l1, l2)\np = 0.5 (FloatSlider from 0.5 to 1.5)\ndeep = true (Checkbox)\n") {
		t.Errorf("%d calls, text %q", calls, b.Data[display.MIMEText])
	}
	if got := plainOf(i); got != `"1 l1 0.5 true";` && got != `"1l10.5 true";` && !strings.Contains(got, "l1") {
		t.Errorf("shows %s", got)
	}
	f.took(t)
	move(t, i.params[0].control, map[string]any{"value": 3})
	move(t, i.params[1].control, map[string]any{"index": 1})
	if got := plainOf(i); calls != 3 || !strings.Contains(got, "3") || !strings.Contains(got, "l2") {
		t.Errorf("%d calls, shows %s", calls, got)
	}
	up := f.took(t)
	if len(up) != 2 || up[0].ID != i.out.id || len(up[0].body.State) != 1 {
		t.Errorf("sent %d messages, want the outputs of the area for each move", len(up))
	}
}

func TestInteractShowsErrors(t *testing.T) {
	connect(t)
	i := Interact(func(k int) (string, error) {
		if k == 2 {
			Printed("stdout", []byte("tries 2"))
			return "", errors.New("not two")
		}
		return fmt.Sprint("k is ", k), nil
	}, []int{1, 2, 3})
	show(t, i)
	data := []byte(`{"method":"update","state":{"value":2}}`)
	if _, _, err := Receive(display.CommMessage{Kind: display.CommData, ID: i.params[0].control.model().id, Data: data}); err != nil {
		t.Fatal(err)
	}
	if err := RunCallbacks(); err == nil || err.Error() != "not two" {
		t.Fatalf("the error is %v", err)
	}
	if !Failed("error", "not two", []string{"error: not two"}) || plainOf(i) != "stdout <nil>tries 2;<nil> error<nil>;" {
		t.Errorf("the area shows %s", plainOf(i))
	}
	move(t, i.params[0].control, map[string]any{"value": 3})
	if got := plainOf(i); !strings.Contains(got, "k is 3") || strings.Contains(got, "error") {
		t.Errorf("after the error the area shows %s", got)
	}
	if bad := Interact(func(k int) error { return errors.New("at once") }); bad.err == nil {
		t.Error("the error of the first call was not returned")
	}
}

func TestInteractPrints(t *testing.T) {
	connect(t)
	i := Interact(func(k int) {
		Printed("stdout", []byte("a "))
		Printed("stdout", []byte("b"))
		_ = display.Show(k)
	}, []int{4, 5})
	show(t, i)
	if got := plainOf(i); got != "stdout <nil>a b;4;" {
		t.Errorf("shows %s", got)
	}
	if Printed("stdout", []byte("x")) {
		t.Error("the area captures text that is printed afterwards")
	}
}

func TestControlsByType(t *testing.T) {
	connect(t)
	type level int
	for name, c := range map[string]struct {
		f    any
		spec []any
		want string // class of the control
	}{
		"int":          {func(int) {}, nil, "IntText"},
		"uint":         {func(uint8) {}, []any{3}, "BoundedIntText"},
		"float":        {func(float64) {}, []any{0.5}, "FloatText"},
		"whole":        {func(float64) {}, []any{2}, "FloatText"},
		"bool":         {func(bool) {}, []any{true}, "Checkbox"},
		"string":       {func(string) {}, []any{"x"}, "Text"},
		"day":          {func(time.Time) {}, nil, "DatePicker"},
		"continuous":   {func(float64) {}, []any{[]int{0, 1}}, "FloatSlider"},
		"factors":      {func(float64) {}, []any{[]float64{0.01, 0.1, 1}}, "FloatLogSlider"},
		"uneven":       {func(int) {}, []any{[]int{1, 2, 4}}, "Dropdown"},
		"named":        {func(level) {}, []any{[]int{1, 2, 3}}, "IntSlider"},
		"functions":    {func(func() int) {}, []any{Options(func() int { return 1 }).Names("one")}, "Dropdown"},
		"a control":    {func(int) {}, []any{Slider(1, 9).Start(5)}, "IntSlider"},
		"several":      {func([]string) {}, []any{SelectMultiple("a", "b")}, "SelectMultiple"},
		"files":        {func([]File) {}, []any{Upload()}, "FileUpload"},
		"one of radio": {func(string) {}, []any{Radio("a", "b")}, "RadioButtons"},
	} {
		i := Interact(c.f, c.spec...)
		if i.err != nil {
			t.Errorf("%s: %v", name, i.err)
			continue
		}
		if got := i.params[0].control.model().class.name; got != c.want {
			t.Errorf("%s: a %s, want a %s", name, got, c.want)
		}
	}
}

func TestInteractMistakes(t *testing.T) {
	connect(t)
	for name, c := range map[string]struct {
		i    *Interactive
		says string
	}{
		"no function": {Interact(3), "must be a function"},
		"nil":         {Interact(nil), "must be a function"},
		"variadic":    {Interact(func(...int) {}), "fixed number of parameters"},
		"results":     {Interact(func() (int, int) { return 1, 2 }), "a value and an error"},
		"too many":    {Interact(func(int) {}, 1, 2), "2 controls for 1 parameters"},
		"type":        {Interact(func(k int) {}, ParameterNames{"k"}, "x"), `k (int): the initial value must have the type of the parameter, got x, a string`},
		"half":        {Interact(func(int) {}, 1.5), "got 1.5"},
		"slice":       {Interact(func([]float64) {}), "Options"},
		"option":      {Interact(func(int) {}, Options(1, "a")), "option 1"},
		"names":       {Interact(func(int) {}, Options(1, 2).Names("one")), "1 names"},
		"no value":    {Interact(func(int) {}, Label("x")), "is a string"},
		"button":      {Interact(func(int) {}, Button("x")), "has no value"},
	} {
		if _, err := c.i.Display(); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
}

func TestManual(t *testing.T) {
	connect(t)
	var seen []int
	i := Interact(func(k int) { seen = append(seen, k) }, []int{1, 2, 3}).Manual()
	show(t, i)
	move(t, i.params[0].control, map[string]any{"value": 3})
	if !slices.Equal(seen, []int{1}) {
		t.Errorf("called with %v before the click", seen)
	}
	children := i.Trait("children").([]Widget)
	b := children[len(children)-2].model()
	if _, _, err := Receive(display.CommMessage{Kind: display.CommData, ID: b.id, Data: []byte(`{"method":"custom","content":{"event":"click"}}`)}); err != nil {
		t.Fatal(err)
	}
	if err := RunCallbacks(); err != nil || !slices.Equal(seen, []int{1, 3}) {
		t.Errorf("called with %v: %v", seen, err)
	}
}
