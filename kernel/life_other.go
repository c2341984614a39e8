//go:build !unix

package kernel

// livesOn reports whether the kernel keeps running after its terminal has closed. Only on Unix can
// a user ask for that, with nohup.
func livesOn() bool { return false }
