//go:build !((linux || darwin || windows) && (amd64 || arm64))

package source

// runtimeLinks returns nothing: the platform has no default engine.
func runtimeLinks() map[string]any { return nil }
