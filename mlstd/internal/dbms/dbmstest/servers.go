//go:build linux

// Package dbmstest starts private database servers for tests, with data in a temporary directory.
package dbmstest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

// Password is the password of User for TCP connections to both servers.
const Password = "fünf Äpfel & 'quotes'"

// User is the administrator of both servers.
const User = "pomona"

// Server is a running server.
type Server struct {
	Address string // by the Unix socket, without a password
	TCP     string // which needs the password
	dir     string
	process *exec.Cmd
}

// nobody is the user who runs the servers if the tests run as root, which servers refuse.
const nobody = 65534

// command prepares a program that ends with the tests and runs without the rights of root.
func command(dir, name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "HOME="+dir, "LC_ALL=C.UTF-8", "TZ=UTC")
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if os.Getuid() == 0 {
		c.SysProcAttr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
	return c
}

func find(name, where, packages string) (string, error) {
	if path, err := exec.LookPath(name); err == nil {
		return path, nil
	}
	paths, _ := filepath.Glob(filepath.Join(where, name)) // the pattern is right
	if len(paths) == 0 {
		return "", fmt.Errorf("%s is missing: run make tools, or apt install %s", name, packages)
	}
	return paths[len(paths)-1], nil
}

func free() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

func directory(name string) (string, error) {
	dir, err := os.MkdirTemp("", name)
	if err == nil && os.Getuid() == 0 {
		err = os.Chown(dir, nobody, nobody)
	}
	return dir, err
}

// start runs a server until it answers.
func (s *Server) start(c *exec.Cmd, answers func() error) error {
	log, err := os.Create(filepath.Join(s.dir, "log"))
	if err != nil {
		return err
	}
	defer log.Close()
	c.Stdout, c.Stderr = log, log
	ended := make(chan error, 1)
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // the death of the thread that starts a process ends the process
		started <- c.Start()
		ended <- c.Wait()
	}()
	if err := <-started; err != nil {
		return err
	}
	s.process = c
	for {
		if answers() == nil {
			return nil
		}
		select {
		case err := <-ended:
			text, _ := os.ReadFile(log.Name()) // as far as there is one
			return fmt.Errorf("%s ended: %v\n%s", c.Path, err, text)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Stop ends the server and removes its data.
func (s *Server) Stop() error {
	if s == nil {
		return nil
	}
	if s.process != nil {
		s.process.Process.Kill()
	}
	return os.RemoveAll(s.dir)
}

func output(c *exec.Cmd) error {
	text, err := c.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %v\n%s", filepath.Base(c.Path), err, bytes.TrimSpace(text))
	}
	return nil
}

// Postgres starts PostgreSQL.
func Postgres() (*Server, error) {
	initdb, err := find("initdb", "/usr/lib/postgresql/*/bin", "postgresql")
	if err != nil {
		return nil, err
	}
	initdb, err = filepath.EvalSymlinks(initdb)
	if err != nil {
		return nil, err
	}
	dir, err := directory("pg")
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir}
	port, err := free()
	if err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, []byte(Password+"\n"), 0o644); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	data := filepath.Join(dir, "data")
	if err := output(command(dir, initdb, "-D", data, "-U", User, "-E", "UTF8", "--no-sync", "--auth-local=trust", "--auth-host=scram-sha-256", "--pwfile", secret)); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	server := command(dir, filepath.Join(filepath.Dir(initdb), "postgres"), "-D", data, "-k", dir, "-p", strconv.Itoa(port), "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "timezone=Europe/Berlin")
	s.Address = fmt.Sprintf("postgres://%s@/postgres?host=%s&port=%d", User, dir, port)
	s.TCP = fmt.Sprintf("postgres://%s@127.0.0.1:%d/postgres", User, port)
	ready := filepath.Join(filepath.Dir(initdb), "pg_isready")
	err = s.start(server, func() error { return output(command(dir, ready, "-h", dir, "-p", strconv.Itoa(port))) })
	if err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// MariaDB starts MariaDB.
func MariaDB() (*Server, error) {
	daemon, err := find("mariadbd", "/usr/sbin", "mariadb-server")
	if err != nil {
		return nil, err
	}
	install, err := find("mariadb-install-db", "/usr/bin", "mariadb-server")
	if err != nil {
		return nil, err
	}
	dir, err := directory("my")
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir}
	port, err := free()
	if err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	data, socket, begin := filepath.Join(dir, "data"), filepath.Join(dir, "socket"), filepath.Join(dir, "begin.sql")
	if err := output(command(dir, install, "--no-defaults", "--datadir="+data, "--auth-root-authentication-method=normal", "--skip-test-db")); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	statements := "create database shop character set utf8mb4;\n" +
		"create user " + User + "@localhost;\ngrant all on *.* to " + User + "@localhost with grant option;\n" +
		"create user " + User + "@127.0.0.1 identified by 'fünf Äpfel & ''quotes''';\ngrant all on *.* to " + User + "@127.0.0.1;\n"
	if err := os.WriteFile(begin, []byte(statements), 0o644); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	server := command(dir, daemon, "--no-defaults", "--datadir="+data, "--socket="+socket, "--port="+strconv.Itoa(port), "--bind-address=127.0.0.1",
		"--skip-name-resolve", "--character-set-server=utf8mb4", "--innodb-flush-log-at-trx-commit=0", "--skip-ssl", "--init-file="+begin)
	s.Address = fmt.Sprintf("mysql://%s@localhost/shop?socket=%s", User, socket)
	s.TCP = fmt.Sprintf("mariadb://%s@127.0.0.1:%d/shop", User, port)
	err = s.start(server, func() error {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		c, err := (&net.Dialer{}).DialContext(ctx, "unix", socket)
		if err == nil {
			c.Close()
		}
		return err
	})
	if err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}
