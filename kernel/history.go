package kernel

import (
	"context"

	"github.com/gokernel/gokernel/kernel/history"
	"github.com/gokernel/gokernel/kernel/msg"
)

// historyRequest answers with cells of this session and of earlier sessions.
func (s *Server) historyRequest(_ context.Context, r *request) error {
	req, err := msg.Decode[msg.HistoryRequest](r.Content)
	if err != nil {
		return err
	}
	entries, err := s.recall(req)
	if err != nil {
		return err
	}
	reply := msg.HistoryReply{Status: msg.OK}
	for _, e := range entries {
		cell := any(e.Input)
		if req.Output {
			pair := [2]any{e.Input, nil}
			if e.Output != "" {
				pair[1] = e.Output
			}
			cell = pair
		}
		reply.History = append(reply.History, [3]any{e.Session, e.Line, cell})
	}
	s.reply(r, "history_reply", reply)
	return nil
}

// defaultTail is the number of cells that a tail request without n gets.
const defaultTail = 10

func (s *Server) recall(req msg.HistoryRequest) ([]history.Entry, error) {
	switch req.Access {
	case "tail":
		return s.history.Tail(valueOr(req.N, defaultTail))
	case "search":
		pattern := req.Pattern
		if pattern == "" {
			pattern = "*"
		}
		return s.history.Search(pattern, valueOr(req.N, -1), req.Unique)
	}
	return s.history.Range(req.Session, valueOr(req.Start, 1), valueOr(req.Stop, -1))
}

func valueOr(p *int, otherwise int) int {
	if p == nil {
		return otherwise
	}
	return *p
}
