package widget

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gokernel/gokernel/display"
)

// user is a frontend with a user who answers the questions that it shows.
type user struct {
	display.Sink
	mu     sync.Mutex
	models map[string]map[string]any // open models: states by id
	order  []string
	shown  []string       // texts of outputs, in the order of changes
	said   []string       // custom messages to views
	late   string         // the value that the field sends when its view goes, for a message that a click has overtaken
	stays  bool           // the views belong to a page that is gone
	answer func(u *user)  // called for each question, in a goroutine of its own
	done   sync.WaitGroup // of answer
}

func (u *user) Comm(m display.CommMessage) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	var body struct {
		Method  string
		State   map[string]any
		Content any
	}
	if err := json.Unmarshal(m.Data, &body); err != nil && m.Kind != display.CommClose {
		return err
	}
	switch {
	case m.Kind == display.CommOpen:
		u.models[m.ID], u.order = body.State, append(u.order, m.ID)
	case m.Kind == display.CommClose:
		delete(u.models, m.ID)
	case body.Method == "update" && fmt.Sprint(body.State["children"]) == "[]" && !u.stays:
		u.done.Go(u.removes)
	case body.Method == "custom":
		u.said = append(u.said, fmt.Sprint(u.models[m.ID]["_model_name"], body.Content))
	}
	return nil
}

func (u *user) Display(b display.Bundle) error {
	if b.Data[MIMEView] != nil {
		u.done.Go(func() { u.answer(u) })
	}
	return nil
}

func (u *user) Update(b display.Bundle) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	text, _ := b.Data[display.MIMEText].(string)
	u.shown = append(u.shown, text)
	return nil
}

// sends sends a message of a view to the n-th model of a kind.
func (u *user) sends(name string, n int, data string, buffers ...[]byte) {
	u.mu.Lock()
	var ids []string
	for _, id := range u.order {
		if u.models[id] != nil && u.models[id]["_model_name"] == name+"Model" {
			ids = append(ids, id)
		}
	}
	u.mu.Unlock()
	if _, waiting, err := Receive(display.CommMessage{Kind: display.CommData, ID: ids[n], Data: json.RawMessage(data), Buffers: buffers}); err != nil || waiting {
		panic(fmt.Sprint(waiting, err))
	}
}

func (u *user) sees() {
	for _, m := range u.open() {
		if name := strings.TrimSuffix(m, "Model"); name == "Text" || name == "Select" || name == "VBox" {
			u.sends(name, 0, `{"method":"update","state":{"_view_count":1}}`)
		}
	}
}

// removes reports that the view of the field is gone.
func (u *user) removes() {
	for _, name := range []string{"Text", "Select"} {
		for _, m := range u.open() {
			if m == name+"Model" {
				u.sends(name, 0, `{"method":"update","state":{`+u.late+`"_view_count":0}}`)
			}
		}
	}
}

// open returns the kinds of the open models.
func (u *user) open() (names []string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, m := range u.models {
		names = append(names, m["_model_name"].(string))
	}
	return names
}

const click = `{"method":"custom","content":{"event":"click"}}`

// meets connects the package to a user who answers with answer.
func meets(answer func(u *user)) (u *user, leave func()) {
	u = &user{models: map[string]map[string]any{}, answer: answer}
	previous := display.SetSink(u)
	return u, func() { u.done.Wait(); display.SetSink(previous) }
}

func TestDialogs(t *testing.T) {
	d := Dialog{t.Context()}
	many := strings.Fields("zero one two three four five six")
	tests := map[string]struct {
		answer func(u *user)
		ask    func() (any, bool, error)
		want   any
		after  string
	}{
		"a line": {
			func(u *user) {
				u.sees()
				u.sends("Text", 0, `{"method":"update","state":{"value":"Ada"}}`)
				u.sends("Text", 0, `{"method":"custom","content":{"event":"submit"}}`)
				u.sends("Text", 0, `{"method":"custom","content":{"event":"submit"}}`)
			},
			func() (any, bool, error) { return three(d.Input("Your <name>, $x$? ")) }, "Ada", "Your <name>, $x$? Ada",
		},
		"a line by its button": {
			func(u *user) { u.sees(); u.sends("Button", 0, click) },
			func() (any, bool, error) { return three(d.Input("Name?")) }, "", "Name? ",
		},
		"no": {
			func(u *user) { u.sees(); u.sends("Button", 1, click) },
			func() (any, bool, error) { return three(d.Confirm("Sure?")) }, false, "Sure? No",
		},
		"yes, twice": {
			func(u *user) { u.sees(); u.sends("Button", 0, click); u.sends("Button", 1, click) },
			func() (any, bool, error) { return three(d.Confirm("Sure?")) }, true, "Sure? Yes",
		},
		"few": {
			func(u *user) { u.sees(); u.sends("Button", 1, click) },
			func() (any, bool, error) { return three(d.Choose("Which?", []string{"ridge", "lasso"})) }, 1, "Which? lasso",
		},
		"many": {
			func(u *user) {
				u.sees()
				u.sends("Select", 0, `{"method":"update","state":{"index":5}}`)
				u.sends("Button", 0, click)
			},
			func() (any, bool, error) { return three(d.Choose("Which?", many)) }, 5, "Which? five",
		},
		"a file": {
			func(u *user) {
				u.sees()
				u.sends("FileUpload", 0, `{"method":"update","state":{"value":[{"name":"a.csv","type":"text/csv","size":3,"last_modified":1}]},"buffer_paths":[["value",0,"content"]]}`, []byte("1,2"))
			},
			func() (any, bool, error) {
				name, content, seen, err := d.File("Data?", []string{".csv"})
				return name + ":" + string(content), seen, err
			}, "a.csv:1,2", "Data? a.csv",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			// A second answer may come after the question has ended.
			answer := func(u *user) { defer func() { _ = recover() }(); test.answer(u) }
			u, leave := meets(answer)
			got, seen, err := test.ask()
			leave()
			if got != test.want || !seen || err != nil {
				t.Errorf("got %v, seen %v, %v", got, seen, err)
			}
			if !slices.Equal(u.shown, []string{test.after}) || len(u.models) != 0 {
				t.Errorf("the output is %q, and %d models are open", u.shown, len(u.models))
			}
		})
	}
}

func three[T any](x T, seen bool, err error) (any, bool, error) { return x, seen, err }

// The field gets the keyboard focus when it is shown.
func TestDialogTakesTheKeyboard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u, leave := meets(func(u *user) { u.sees(); time.Sleep(time.Minute); u.sends("Button", 0, click) })
		if _, seen, err := (Dialog{t.Context()}).Input("Name?"); !seen || err != nil {
			t.Errorf("seen %v, %v", seen, err)
		}
		leave()
		if !slices.Equal(u.said, []string{"TextModelmap[do:focus]"}) {
			t.Errorf("messages to the views: %q", u.said)
		}
	})
}

// A click can arrive before a value that was typed earlier.
func TestDialogWaitsForTheValue(t *testing.T) {
	u, leave := meets(func(u *user) {
		u.late = `"value":"Ada",`
		u.sees()
		u.sends("Text", 0, `{"method":"update","state":{"value":"A"}}`)
		u.sends("Text", 0, `{"method":"custom","content":{"event":"submit"}}`)
	})
	text, seen, err := (Dialog{t.Context()}).Input("Name?")
	leave()
	if text != "Ada" || !seen || err != nil || !slices.Equal(u.shown, []string{"Name? Ada"}) {
		t.Errorf("got %q, seen %v, %v; the output is %q", text, seen, err, u.shown)
	}
}

// A question is withdrawn if no frontend shows it, and if its cell is interrupted.
func TestDialogWithdrawn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u, leave := meets(func(*user) {})
		yes, seen, err := (Dialog{t.Context()}).Confirm("Sure?")
		leave()
		if yes && seen || seen || err != nil || !slices.Equal(u.shown, []string{""}) || len(u.models) != 0 {
			t.Errorf("seen %v, %v; the output is %q, %d models", seen, err, u.shown, len(u.models))
		}
		ctx, cancel := context.WithCancel(t.Context())
		u, leave = meets(func(u *user) { u.sees(); time.Sleep(time.Hour); cancel() })
		_, seen, err = (Dialog{ctx}).Input("Name?")
		leave()
		if !seen || !errors.Is(err, context.Canceled) || !slices.Equal(u.shown, []string{""}) || len(u.models) != 0 {
			t.Errorf("seen %v, %v; the output is %q, %d models", seen, err, u.shown, len(u.models))
		}
		// The page is closed with the click, so its last value is not known.
		u, leave = meets(func(u *user) { u.stays = true; u.sees(); u.sends("Button", 0, click) })
		_, seen, err = (Dialog{t.Context()}).Input("Name?")
		leave()
		if seen || err != nil || !slices.Equal(u.shown, []string{""}) || len(u.models) != 0 {
			t.Errorf("seen %v, %v; the output is %q, %d models", seen, err, u.shown, len(u.models))
		}
	})
}
