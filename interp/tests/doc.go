// Package tests runs the tests of a session, as go test runs the tests of a package, and shows
// their results.
package tests
