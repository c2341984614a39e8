package kernel

import (
	"testing"
	"time"

	"github.com/gokernel/gokernel/kernel/msg"
)

// TestStragglers checks which requests that come after a failure has been told
// are aborted: those that their client made before it can have known.
func TestStragglers(t *testing.T) {
	made := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	arrived := made.Add(-3 * time.Hour) // the clocks of client and kernel differ
	ask := func(seq uint64, session string, date any, after time.Duration) *request {
		r := &request{seq: seq, at: arrived.Add(after), header: msg.Header{Session: session}}
		switch d := date.(type) {
		case time.Duration:
			r.header.Date = msg.Date(made.Add(d))
		case string:
			r.header.Date = d
		}
		return r
	}
	const spent = 60 * time.Millisecond
	f := failure{last: 7, session: "a", made: made, known: made.Add(spent - dateStep), at: arrived.Add(spent)}
	for _, tt := range []struct {
		name string
		r    *request
		want bool
	}{
		{"had come by then", ask(7, "b", time.Hour, 0), true},
		{"made with it, came late", ask(8, "a", 20*time.Millisecond, 100*time.Millisecond), true},
		{"made when it was told", ask(8, "a", spent, 61*time.Millisecond), false},
		{"made a rounded millisecond before", ask(8, "a", spent-dateStep, 61*time.Millisecond), false},
		{"made later", ask(8, "a", time.Second, time.Second), false},
		{"of another client, whose clock says nothing", ask(8, "b", 20*time.Millisecond, 100*time.Millisecond), false},
		{"without a date", ask(8, "a", "", 100*time.Millisecond), false},
		{"of a client whose time stands still", ask(8, "a", time.Duration(0), 100*time.Millisecond), false},
		{"long after, with a clock that was set back", ask(8, "a", 20*time.Millisecond, time.Minute), false},
	} {
		if got := f.aborts(tt.r); got != tt.want {
			t.Errorf("%s: aborted %v, want %v", tt.name, got, tt.want)
		}
	}
	if (failure{}).aborts(ask(1, "a", time.Duration(0), 0)) {
		t.Error("a request is aborted though nothing has failed")
	}
	undated := failure{last: 7, session: "a", at: arrived}
	if undated.aborts(ask(8, "a", -time.Hour, time.Millisecond)) {
		t.Error("a request is aborted by a failed one without a date")
	}
}

// TestSettle checks how long a failed cell waits, and what it takes down.
func TestSettle(t *testing.T) {
	l := newLane("", nil)
	failed := &request{header: msg.Header{Session: "a", Date: msg.Date(time.Now())}}
	l.push(failed)
	start := time.Now()
	f := l.settle(t.Context(), failed)
	if waited := time.Since(start); waited < burstGap-time.Millisecond || f.last != 1 {
		t.Errorf("after %v request %d is the last, want the first after %v", waited, f.last, burstGap)
	}
	made, _ := failed.made()
	if spent := f.at.Sub(failed.at); spent < burstGap || !f.known.Equal(made.Add(spent-dateStep)) {
		t.Errorf("the client cannot know before %v, it made the request at %v and it spent %v here", f.known, made, spent)
	}
	failed.header.Date = "soon"
	if f := l.settle(t.Context(), failed); !f.known.IsZero() {
		t.Errorf("without a date the client's time is %v", f.known)
	}
}
