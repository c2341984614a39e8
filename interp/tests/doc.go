// Package tests runs the tests of a session, as go test runs those of a package, and
// shows how each has ended.
package tests
