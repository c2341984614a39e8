package widget

import (
	"context"
	"errors"
	"html"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/gokernel/gokernel/display"
)

// Dialog asks the user a question with controls in the output of the running cell, which waits for
// the answer. After the answer, the question and the answer replace the controls. The session uses
// it for the functions that cells call: Input, Confirm, Choose and ChooseFile.
//
// The methods return seen = false if no frontend has shown the controls. In that case no one can
// answer, and the question is removed.
type Dialog struct {
	Context context.Context // when it is canceled, the question is withdrawn
}

// unseenAfter is the time within which a frontend must show a question.
const unseenAfter = 10 * time.Second

// Input asks for a line of text.
func (d Dialog) Input(prompt string) (text string, seen bool, err error) {
	field, ok := Text(""), Button("OK")
	field.state["tooltip"] = prompt
	q := newQuestion(prompt, field, ok)
	q.answered(field.Model, func(content any) bool { return eventOf(content) == "submit" })
	q.answered(ok.Model, isClick)
	q.field, q.focus = field.Model, true
	seen, err = q.ask(d.Context, field.Value)
	return field.Value(), seen, err
}

// Confirm asks a yes-or-no question.
func (d Dialog) Confirm(question string) (yes, seen bool, err error) {
	i, seen, err := d.buttons(question, []string{"Yes", "No"})
	return i == 0, seen, err
}

// Choose asks for one of the options and returns its position.
func (d Dialog) Choose(question string, options []string) (i int, seen bool, err error) {
	letters := 0
	for _, o := range options {
		letters += utf8.RuneCountInString(o)
	}
	if len(options) <= 5 && letters <= 80 {
		return d.buttons(question, options)
	}
	list, ok := Select(options...), Button("OK")
	list.state["tooltip"] = question
	q := newQuestion(question, list, ok)
	q.answered(ok.Model, isClick)
	q.field = list.Model
	seen, err = q.ask(d.Context, list.Value)
	return list.Index(), seen, err
}

// buttons asks with one button per answer.
func (d Dialog) buttons(question string, answers []string) (i int, seen bool, err error) {
	var all []Widget
	for _, a := range answers {
		all = append(all, Button(a))
	}
	q := newQuestion(question, all...)
	chosen := 0
	for i, b := range all {
		q.answered(b.model(), func(content any) bool {
			if isClick(content) && !q.ended {
				chosen = i
				return true
			}
			return false
		})
	}
	seen, err = q.ask(d.Context, func() string { return answers[chosen] })
	return chosen, seen, err
}

// File asks for a file of one of the given types, such as ".csv" or "image/*"; without types, any
// file can be chosen.
func (d Dialog) File(question string, types []string) (name string, content []byte, seen bool, err error) {
	files := Upload(types...)
	q := newQuestion(question, files)
	h := q.answered(files.Model, func(any) bool { return true })
	files.handlers["value"], files.custom = []*handler{h}, nil
	var f File
	seen, err = q.ask(d.Context, func() string {
		if v := files.Value(); len(v) > 0 {
			f = v[0]
		}
		return f.Name
	})
	return f.Name, f.Content, seen, err
}

func eventOf(content any) string {
	c, _ := content.(map[string]any)
	s, _ := c["event"].(string)
	return s
}

func isClick(content any) bool { return eventOf(content) == "click" }

// question is a question to the user.
type question struct {
	*Boxed
	text  string
	field *Model // holds the answer; nil if a click is the answer
	focus bool   // whether the field gets the keyboard focus
	shown chan struct{}
	done  chan struct{}
	gone  chan struct{} // closed when the field is no longer shown on any page
	ended bool          // done is closed; guarded by the hub's lock
}

func newQuestion(text string, parts ...Widget) *question {
	q := &question{text: text, shown: make(chan struct{}), done: make(chan struct{}), gone: make(chan struct{})}
	q.Boxed = VBox(HTML(strings.ReplaceAll(html.EscapeString(text), "\n", "<br>")), HBox(parts...)) // a Label would treat dollar signs as formulas
	counted(q.Model, func(int) bool { return true }, q.shown)
	return q
}

// counted makes the frontend count the views of a model, and closes c when a count satisfies
// meant.
func counted(m *Model, meant func(views int) bool, c chan struct{}) {
	m.state["_view_count"] = 0
	once := sync.OnceFunc(func() { close(c) })
	m.handlers["_view_count"] = []*handler{{model: m, now: true, f: func(any) error {
		if meant(int(number(m.trait("_view_count")))) {
			once()
		}
		return nil
	}}}
}

// answered ends the question when a control sends a message for which the function is returns true.
func (q *question) answered(m *Model, is func(content any) bool) *handler {
	h := &handler{model: m, now: true, events: true, f: func(content any) error {
		if is(content) && !q.ended {
			q.ended = true
			close(q.done)
		}
		return nil
	}}
	m.custom = append(m.custom, h)
	return h
}

// ask shows the question and waits until it ends; then answer returns what the user has answered.
func (q *question) ask(ctx context.Context, answer func() string) (seen bool, err error) {
	if q.field != nil {
		counted(q.field, func(views int) bool { return q.ended && views == 0 }, q.gone)
	}
	sink := display.CurrentSink()
	b, err := q.Display()
	if err != nil || b.Data[MIMEView] == nil {
		return false, nil // there is no frontend
	}
	name := map[string]any{"display_id": q.id}
	b.Transient = name
	if err := sink.Display(b); err != nil {
		return false, err
	}
	all := q.models()
	seen, err = q.wait(ctx)
	if seen && err == nil && q.field != nil {
		seen, err = q.waitForField(ctx)
	}
	var after display.Bundle // nothing
	if seen && err == nil {
		after = display.Text(strings.TrimRight(q.text, " ") + " " + answer())
	}
	after.Transient = name
	return seen, errors.Join(err, sink.Update(after), closeAll(all))
}

// wait waits until the question is answered.
func (q *question) wait(ctx context.Context) (seen bool, err error) {
	unseen := time.NewTimer(unseenAfter)
	defer unseen.Stop()
	shown := q.shown
	for {
		select {
		case <-q.done:
			return true, nil
		case <-ctx.Done():
			return seen, context.Canceled
		case <-unseen.C:
			if !seen {
				return false, nil
			}
		case <-shown:
			seen, shown = true, nil
			if !q.focus {
				continue
			}
			if err := q.field.say(map[string]any{"do": "focus"}); err != nil {
				return seen, err
			}
		}
	}
}

// waitForField removes the controls from the page and waits for the field's last value. A
// frontend sends clicks immediately, but a new value only after the kernel has handled the
// previous one. So a click can overtake text that was typed before it. The field reports that its
// view is gone together with its last value, or after it.
func (q *question) waitForField(ctx context.Context) (seen bool, err error) {
	if err := q.set(map[string]any{"children": []Widget{}}); err != nil {
		return false, err
	}
	late := time.NewTimer(unseenAfter)
	defer late.Stop()
	select {
	case <-q.gone:
		return true, nil
	case <-ctx.Done():
		return true, context.Canceled
	case <-late.C: // the page is gone
		return false, nil
	}
}

// models returns all models of the question.
func (q *question) models() []*Model {
	q.hub.mu.Lock()
	defer q.hub.mu.Unlock()
	all := []*Model{q.Model}
	for i := 0; i < len(all); i++ {
		for _, k := range slices.Sorted(maps.Keys(all[i].state)) {
			all = append(all, references(all[i].state[k])...)
		}
	}
	return all
}

func closeAll(models []*Model) error {
	var errs []error
	for _, m := range models {
		errs = append(errs, m.Close())
	}
	return errors.Join(errs...)
}
