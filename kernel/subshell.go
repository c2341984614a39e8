package kernel

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gokernel/gokernel/kernel/msg"
)

// maxSubshells is the maximum number of subshells of a kernel.
const maxSubshells = 256

// errNotControl is the error of subshell requests on the shell channel. Subshells exist to bypass
// that channel.
var errNotControl = errors.New("kernel: subshell requests belong on the control channel")

// createSubshell starts a request queue in addition to the main shell (JEP 91). It handles comms,
// completion and similar requests while a cell runs. Its cells have their own execution count,
// take turns with the other cells and are not in the history.
func (s *Server) createSubshell(_ context.Context, r *request) error {
	if r.queue != s.queues.control {
		return errNotControl
	}
	l, err := s.queues.create()
	if err != nil {
		return err
	}
	s.reply(r, "create_subshell_reply", msg.CreateSubshellReply{Status: msg.OK, ID: l.id})
	return nil
}

// deleteSubshell ends a subshell once its waiting requests have been answered.
func (s *Server) deleteSubshell(_ context.Context, r *request) error {
	if r.queue != s.queues.control {
		return errNotControl
	}
	req, err := msg.Decode[msg.DeleteSubshellRequest](r.Content)
	if err != nil {
		return err
	}
	if !s.queues.remove(req.ID) {
		return unknownSubshell(req.ID)
	}
	s.reply(r, "delete_subshell_reply", msg.StatusReply{Status: msg.OK})
	return nil
}

// listSubshells lists the subshells, without the main shell.
func (s *Server) listSubshells(_ context.Context, r *request) error {
	if r.queue != s.queues.control {
		return errNotControl
	}
	s.reply(r, "list_subshell_reply", msg.ListSubshellReply{Status: msg.OK, IDs: s.queues.list()})
	return nil
}

func unknownSubshell(id string) error {
	return fmt.Errorf("kernel: subshell %q does not exist: create one with create_subshell_request", id)
}

func (qs *requestQueues) create() (*requestQueue, error) {
	qs.mu.Lock()
	defer qs.mu.Unlock()
	if qs.handle == nil {
		return nil, errors.New("kernel: the kernel is shutting down")
	}
	if len(qs.subshells) >= maxSubshells {
		return nil, fmt.Errorf("kernel: a kernel can have at most %d subshells: delete one with delete_subshell_request", maxSubshells)
	}
	l := newRequestQueue(newSession(), queries)
	qs.subshells[l.id] = l
	qs.run(l)
	return l, nil
}

func (qs *requestQueues) remove(id string) bool {
	qs.mu.Lock()
	defer qs.mu.Unlock()
	l := qs.subshells[id]
	if l == nil {
		return false
	}
	delete(qs.subshells, id)
	l.finish()
	return true
}

func (qs *requestQueues) list() msg.List[string] {
	qs.mu.Lock()
	defer qs.mu.Unlock()
	ids := msg.List[string]{}
	for id := range qs.subshells {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}
