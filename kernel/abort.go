package kernel

import (
	"context"
	"maps"
	"time"
)

// failure is the last cell of a lane that failed and asked for the cells that
// its client had sent with it or behind it to be aborted.
//
// A frontend that runs all cells makes their requests one by one, and a cell
// that does not compile has failed before the others have come. So a cell that
// fails at once is not told of before nothing has come for burstGap: what comes
// until then is behind it. The cells of other clients, which may be other people's,
// are not aborted. What comes later may still have been made before: a
// client that made the failed request at some time of its own clock cannot have
// seen what became of it before as much time had gone by as the request spent
// here.
type failure struct {
	last uint64    // the last request that had come by then
	at   time.Time // when it was told
	// By the client's clock: when it made the request, and before what time it
	// cannot have known of the failure; zero when it tells no time.
	made, known time.Time
}

const (
	burstGap   = 50 * time.Millisecond
	burstLimit = 500 * time.Millisecond // for which a cell waits for the end of a burst of its client
	// stragglers is for how long dates are looked at: clocks may be set back.
	stragglers = 5 * time.Second
	// dateStep is the precision of dates that browsers make.
	dateStep = time.Millisecond
)

// settle waits until no burst of requests of r's client is under way; others may be
// as busy as they like. A cell that has run for longer than burstGap does not wait,
// unless requests of its client have come meanwhile.
func (l *lane) settle(ctx context.Context, r *request) failure {
	ctx, cancel := context.WithTimeout(ctx, burstLimit)
	defer cancel()
	for {
		last, at := l.arrived(r)
		wait := burstGap - time.Since(at)
		if wait > 0 {
			select {
			case <-time.After(wait):
				continue
			case <-ctx.Done():
			}
		}
		f := failure{last: last, at: time.Now()}
		if made, ok := r.made(); ok {
			f.made, f.known = made, made.Add(f.at.Sub(r.at)-dateStep)
		}
		return f
	}
}

// failures are those of a lane, by the sessions of the clients.
type failures map[string]failure

// add notes the failure of a cell, and forgets those that abort nothing more.
func (fs failures) add(r *request, f failure) {
	maps.DeleteFunc(fs, func(_ string, old failure) bool { return old.last <= r.seq && f.at.Sub(old.at) > stragglers })
	fs[r.header.Session] = f
}

// abort reports whether r was sent before its client could know of a failure.
func (fs failures) abort(r *request) bool {
	f, failed := fs[r.header.Session]
	return failed && f.aborts(r)
}

// aborts reports whether r was sent before its client, which is that of f, could know of f.
func (f failure) aborts(r *request) bool {
	if r.seq <= f.last {
		return true
	}
	if f.known.IsZero() || r.at.Sub(f.at) > stragglers {
		return false
	}
	made, ok := r.made()
	// A client whose time stands still tells none.
	return ok && made.After(f.made) && made.Before(f.known)
}

// made is when the client made r, by its own clock.
func (r *request) made() (time.Time, bool) {
	t, err := time.Parse(time.RFC3339Nano, r.header.Date)
	return t, err == nil
}
