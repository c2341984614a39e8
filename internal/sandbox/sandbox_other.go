//go:build !linux || !(amd64 || arm64)

package sandbox

import (
	"os/exec"
	"runtime"
)

func confine(string, []string) error { return nil }

func start(cmd *exec.Cmd, _ Limits) error { return cmd.Start() }

func enter(Limits) error { return nil }

func lacks() []string {
	return []string{"cells can read and write the files that you can, reach the network, start programs and take any memory: " +
		"only Linux (amd64, arm64) can prevent this, and this system is " + runtime.GOOS}
}
