package kernel

import (
	"context"
	"maps"
	"time"
)

// failure describes the last failed cell in a request queue. The cell's request has stop_on_error
// set, which is the default. The kernel therefore aborts the cells that the same client has sent
// with this request or after it.
//
// A frontend that runs all cells sends their requests one by one, so a cell that does not compile
// can fail before the other requests have arrived. The kernel therefore reports a failure only
// after the client has sent nothing for burstGap. It aborts the requests of this client that have
// arrived by then, but not the cells of other clients, which may belong to other people.
//
// A request that arrives later may still have been made before the client learned of the failure.
// The failed request spent some time in the kernel. On the client's clock, the client cannot have
// seen the reply before the same time had passed since it made the request.
type failure struct {
	last uint64    // sequence number of the last request that had arrived when the failure was reported
	at   time.Time // when the failure was reported
	// made and known are times on the client's clock: when the client made the request, and when it
	// could first have known of the failure. Both are zero if the request has no date.
	made, known time.Time
}

const (
	burstGap   = 50 * time.Millisecond
	burstLimit = 500 * time.Millisecond // how long a failed cell waits for its client's burst to end
	// stragglers is the period after a failure in which the kernel compares the dates of requests
	// with the date of the failure. The period is limited, because clocks can be set back.
	stragglers = 5 * time.Second
	// dateStep is the precision of the dates that browsers write.
	dateStep = time.Millisecond
)

// waitForBurst waits until r's client has sent nothing for burstGap, or until burstLimit has
// passed. Requests of other clients do not matter. If the cell has run for longer than burstGap,
// waitForBurst does not wait, unless the cell's client has sent more requests while the cell ran.
func (q *requestQueue) waitForBurst(ctx context.Context, r *request) failure {
	ctx, cancel := context.WithTimeout(ctx, burstLimit)
	defer cancel()
	for {
		last, at := q.arrived(r)
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

// failures maps the session of a client to its last failure in one request queue.
type failures map[string]failure

// add records the failure of a cell and drops failures that can no longer abort a request.
func (fs failures) add(r *request, f failure) {
	maps.DeleteFunc(fs, func(_ string, old failure) bool { return old.last <= r.seq && f.at.Sub(old.at) > stragglers })
	fs[r.header.Session] = f
}

// abort reports whether r was sent before r's client could know of a failure.
func (fs failures) abort(r *request) bool {
	f, failed := fs[r.header.Session]
	return failed && f.aborts(r)
}

// aborts reports whether r was sent before its client could know of f, a failure of the same
// client.
func (f failure) aborts(r *request) bool {
	if r.seq <= f.last {
		return true
	}
	if f.known.IsZero() || r.at.Sub(f.at) > stragglers {
		return false
	}
	made, ok := r.made()
	// Nothing can be concluded if the client's clock does not advance.
	return ok && made.After(f.made) && made.Before(f.known)
}

// made returns when the client made r, by the client's clock.
func (r *request) made() (time.Time, bool) {
	t, err := time.Parse(time.RFC3339Nano, r.header.Date)
	return t, err == nil
}
