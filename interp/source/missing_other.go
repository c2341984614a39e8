//go:build !linux

package source

var systemCalls = map[string]any{}
