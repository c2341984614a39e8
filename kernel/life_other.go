//go:build !unix

package kernel

// livesOn reports whether the kernel keeps running after its terminal has closed. Only Unix can ask
// for that.
func livesOn() bool { return false }
