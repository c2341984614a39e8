package kernel

import (
	"testing"
	"time"

	"github.com/gokernel/gokernel/kernel/msg"
)

// TestStragglers checks which requests that arrive after a failure was reported are aborted: the
// requests that their client made before it could know of the failure.
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
	f := failure{last: 7, made: made, known: made.Add(spent - dateStep), at: arrived.Add(spent)}
	for _, tt := range []struct {
		name string
		r    *request
		want bool
	}{
		{"had come by then", ask(7, "a", time.Hour, 0), true},
		{"had come by then, from another client", ask(7, "b", time.Hour, 0), false},
		{"made with it, came late", ask(8, "a", 20*time.Millisecond, 100*time.Millisecond), true},
		{"made when the failure was reported", ask(8, "a", spent, 61*time.Millisecond), false},
		{"made a rounded millisecond before", ask(8, "a", spent-dateStep, 61*time.Millisecond), false},
		{"made later", ask(8, "a", time.Second, time.Second), false},
		{"of another client, whose clock says nothing", ask(8, "b", 20*time.Millisecond, 100*time.Millisecond), false},
		{"without a date", ask(8, "a", "", 100*time.Millisecond), false},
		{"from a client whose clock does not advance", ask(8, "a", time.Duration(0), 100*time.Millisecond), false},
		{"long after, with a clock that was set back", ask(8, "a", 20*time.Millisecond, time.Minute), false},
	} {
		if got := (failures{"a": f}).abort(tt.r); got != tt.want {
			t.Errorf("%s: aborted %v, want %v", tt.name, got, tt.want)
		}
	}
	if (failures{}).abort(ask(1, "a", time.Duration(0), 0)) {
		t.Error("a request is aborted although nothing has failed")
	}
	undated := failures{"a": {last: 7, at: arrived}}
	if undated.abort(ask(8, "a", -time.Hour, time.Millisecond)) {
		t.Error("a failed request without a date aborts a later one")
	}
}

// TestFailuresOfClients checks that failures of several clients do not replace each other, and that
// a failure is dropped when it can no longer abort any request.
func TestFailuresOfClients(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	ask := func(seq uint64, session string) *request {
		return &request{seq: seq, at: at, header: msg.Header{Session: session}}
	}
	fs := failures{}
	fs.add(ask(1, "a"), failure{last: 5, at: at})
	fs.add(ask(2, "b"), failure{last: 5, at: at.Add(time.Second)})
	for session, want := range map[string]bool{"a": true, "b": true, "c": false} {
		if got := fs.abort(ask(5, session)); got != want {
			t.Errorf("a request of %s is aborted: %v, want %v", session, got, want)
		}
	}
	fs.add(ask(4, "c"), failure{last: 5, at: at.Add(stragglers + 2*time.Second)})
	if len(fs) != 3 {
		t.Errorf("%d failures, want 3: requests that came before two of them are waiting", len(fs))
	}
	fs.add(ask(6, "c"), failure{last: 6, at: at.Add(stragglers + 2*time.Second)})
	if len(fs) != 1 {
		t.Errorf("%d failures, want only that of c", len(fs))
	}
}

// TestWaitForBurst checks how long a failed cell waits, and which requests it aborts.
func TestWaitForBurst(t *testing.T) {
	q := newRequestQueue("", nil)
	failed := &request{header: msg.Header{Session: "a", Date: msg.Date(time.Now())}}
	q.push(failed)
	start := time.Now()
	f := q.waitForBurst(t.Context(), failed)
	if waited := time.Since(start); waited < burstGap-time.Millisecond || f.last != 1 {
		t.Errorf("after %v request %d is the last, want the first after %v", waited, f.last, burstGap)
	}
	made, _ := failed.made()
	if spent := f.at.Sub(failed.at); spent < burstGap || !f.known.Equal(made.Add(spent-dateStep)) {
		t.Errorf("the client can know at %v, but it made the request at %v, which spent %v in the kernel", f.known, made, spent)
	}
	failed.header.Date = "soon"
	if f := q.waitForBurst(t.Context(), failed); !f.known.IsZero() {
		t.Errorf("the client's time is %v for a request without a date", f.known)
	}
}

// TestBurstsOfOtherClients checks that a failed cell waits for later requests of its own client,
// but not for requests of other clients.
func TestBurstsOfOtherClients(t *testing.T) {
	q := newFIFO()
	push := func(session string) *request {
		r := &request{header: msg.Header{Session: session}}
		q.push(r)
		return r
	}
	failed := push("a")
	if r, ok := q.pop(); !ok || r != failed {
		t.Fatal("pop returned another request")
	}
	push("b")
	push("c")
	if last, at := q.arrived(failed); last != 3 || !at.Equal(failed.at) {
		t.Errorf("request %d is the last and the client's came at %v, want 3 and %v", last, at, failed.at)
	}
	behind := push("a")
	push("b")
	if last, at := q.arrived(failed); last != 5 || !at.Equal(behind.at) {
		t.Errorf("request %d is the last and the client's came at %v, want 5 and %v", last, at, behind.at)
	}
}
