package kernel

import (
	"context"

	"github.com/gokernel/gokernel/kernel/msg"
)

// connect answers the deprecated connect_request with the port numbers.
func (s *Server) connect(_ context.Context, r *request) error {
	s.reply(r, "connect_reply", msg.ConnectReply{
		Status: msg.OK,
		Shell:  s.conn.ShellPort, IOPub: s.conn.IOPubPort, Stdin: s.conn.StdinPort,
		Control: s.conn.ControlPort, HB: s.conn.HBPort,
	})
	return nil
}
