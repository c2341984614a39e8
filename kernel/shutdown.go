package kernel

import (
	"context"

	"github.com/gokernel/gokernel/kernel/msg"
)

// shutdown replies on the request's channel, publishes the reply on iopub for the other clients,
// and then ends the server.
func (s *Server) shutdown(_ context.Context, r *request) error {
	req, err := msg.Decode[msg.ShutdownRequest](r.Content)
	if err != nil {
		return err
	}
	reply := msg.ShutdownReply{Status: msg.OK, Restart: req.Restart}
	s.publish(r, "shutdown_reply", reply)
	s.reply(r, "shutdown_reply", reply)
	r.after = s.end
	return nil
}
