package kernel

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gokernel/gokernel/kernel/msg"
)

// maxSubshells bounds the subshells of a kernel.
const maxSubshells = 256

// errNotControl is the answer to subshell requests on the shell channel, which
// subshells exist to get around.
var errNotControl = errors.New("kernel: subshell requests belong on the control channel")

// createSubshell starts a queue of requests beside the main shell (JEP 91), on
// which comms, completion and the like are handled while a cell runs. Its cells
// have their own count, take turns with the others and are not in the history.
func (s *Server) createSubshell(_ context.Context, r *request) error {
	if r.lane != s.lanes.control {
		return errNotControl
	}
	l, err := s.lanes.create()
	if err != nil {
		return err
	}
	s.reply(r, "create_subshell_reply", msg.CreateSubshellReply{Status: msg.OK, ID: l.id})
	return nil
}

// deleteSubshell ends a subshell once what it has been asked is answered.
func (s *Server) deleteSubshell(_ context.Context, r *request) error {
	if r.lane != s.lanes.control {
		return errNotControl
	}
	req, err := msg.Decode[msg.DeleteSubshellRequest](r.Content)
	if err != nil {
		return err
	}
	if !s.lanes.remove(req.ID) {
		return unknownSubshell(req.ID)
	}
	s.reply(r, "delete_subshell_reply", msg.StatusReply{Status: msg.OK})
	return nil
}

// listSubshells names the subshells; the main shell is none.
func (s *Server) listSubshells(_ context.Context, r *request) error {
	if r.lane != s.lanes.control {
		return errNotControl
	}
	s.reply(r, "list_subshell_reply", msg.ListSubshellReply{Status: msg.OK, IDs: s.lanes.list()})
	return nil
}

func unknownSubshell(id string) error {
	return fmt.Errorf("kernel: subshell %q does not exist: create_subshell_request makes one", id)
}

func (ls *lanes) create() (*lane, error) {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	if ls.handle == nil {
		return nil, errors.New("kernel: the kernel is shutting down")
	}
	if len(ls.subshells) >= maxSubshells {
		return nil, fmt.Errorf("kernel: there are %d subshells, the most that there may be: delete some", maxSubshells)
	}
	l := newLane(newSession(), questions)
	ls.subshells[l.id] = l
	ls.run(l)
	return l, nil
}

func (ls *lanes) remove(id string) bool {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	l := ls.subshells[id]
	if l == nil {
		return false
	}
	delete(ls.subshells, id)
	l.finish()
	return true
}

func (ls *lanes) list() msg.List[string] {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	ids := msg.List[string]{}
	for id := range ls.subshells {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}
