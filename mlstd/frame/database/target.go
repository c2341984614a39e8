//go:build !js

package database

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/gokernel/gokernel/mlstd/internal/dbms"
	"github.com/gokernel/gokernel/mlstd/internal/dbms/mysql"
	"github.com/gokernel/gokernel/mlstd/internal/dbms/postgres"
	"github.com/gokernel/gokernel/mlstd/internal/dbms/spark"
	"github.com/gokernel/gokernel/mlstd/internal/sqlite"
	"github.com/gokernel/gokernel/mlstd/model"
)

// target is where an address leads.
type target struct {
	shown      string // the address without a password
	user, host string
	given      bool   // whether there is a password
	variable   string // environment variable of the password
	dial       func(ctx context.Context, password string) (dbms.Conn, error)
}

// errPassword reports that the server wants another password.
var errPassword = errors.New("the server refuses the password")

// resolve reads an address.
func resolve(address string) (*target, error) {
	scheme, rest, ok := strings.Cut(address, ":")
	if !ok || len(scheme) < 2 { // a path, on Windows with a drive
		return file(address)
	}
	t := &target{}
	switch scheme {
	case "":
		return file(address)
	case "sqlite", "sqlite3", "file":
		return file(strings.TrimPrefix(rest, "//"))
	case "postgres", "postgresql":
		t.variable = "PGPASSWORD"
	case "mysql", "mariadb":
		t.variable = "MYSQL_PWD"
	case "sc":
		login, err := spark.Read(address)
		if err != nil {
			return nil, err
		}
		t.shown, t.user, t.host, t.variable, t.given = login.Shown, login.User, login.Host, spark.TokenVariable, true
		t.dial = func(ctx context.Context, _ string) (dbms.Conn, error) { return spark.Open(ctx, address) }
		return t, nil
	default:
		return nil, model.Errorf("Connect", "the address must begin with postgres://, mysql://, mariadb:// or sc://, or be the path of a SQLite file, got %q", scheme+":...").
			WithHint("for another database, import its driver, call sql.Open, and pass the rows of a query to ml.FromRows")
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, model.Errorf("Connect", "the address must be like %s://user@host/database; write special characters such as @ and / as %%40 and %%2F", scheme)
	}
	if err := checkPassword(address, u, t.variable); err != nil {
		return nil, err
	}
	t.shown = hidden(u)
	if t.variable == "PGPASSWORD" {
		login, err := postgres.Read(address)
		if err != nil {
			return nil, err
		}
		t.user, t.host, t.given = login.User, login.Host, login.Given
		t.dial = func(ctx context.Context, password string) (dbms.Conn, error) {
			c, err := postgres.Open(ctx, address, password)
			return c, wrong(err, postgres.ErrPassword)
		}
		return t, nil
	}
	login, err := mysql.Read(address)
	if err != nil {
		return nil, err
	}
	t.user, t.host, t.given = login.User, login.Host, login.Given
	t.dial = func(ctx context.Context, password string) (dbms.Conn, error) {
		c, err := mysql.Open(ctx, address, password)
		return c, wrong(err, mysql.ErrPassword)
	}
	return t, nil
}

// wrong converts the error of a package for a refused password.
func wrong(err, refused error) error {
	if errors.Is(err, refused) {
		return fmt.Errorf("%w: %s", errPassword, strings.TrimPrefix(err.Error(), refused.Error()+": "))
	}
	return err
}

func file(path string) (*target, error) {
	if path == "" {
		return nil, model.Errorf("Connect", "the address must not be empty").WithHint("use an address such as postgres://user@host/database, or the path of a SQLite file")
	}
	return &target{shown: path, dial: func(ctx context.Context, _ string) (dbms.Conn, error) {
		c, err := sqlite.Open(ctx, path)
		return c, err
	}}, nil
}
