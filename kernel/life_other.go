//go:build !unix

package kernel

// livesOn reports whether the kernel is to live on when its terminal has gone, which only
// Unix can say.
func livesOn() bool { return false }
