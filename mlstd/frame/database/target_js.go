package database

import (
	"context"
	"errors"

	"github.com/gokernel/gokernel/mlstd/internal/dbms"
	"github.com/gokernel/gokernel/mlstd/model"
)

// target is where an address leads: nowhere, in a browser.
type target struct {
	shown, user, host, variable string
	given                       bool
	dial                        func(ctx context.Context, password string) (dbms.Conn, error)
}

var errPassword = errors.New("the server refuses the password")

func resolve(string) (*target, error) {
	return nil, model.Errorf("Connect", "a page in a browser cannot connect to databases").WithHint("run the notebook with gokernel on a computer")
}
