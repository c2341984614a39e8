package main

import (
	"runtime/debug"
	"testing"
)

func TestVersion(t *testing.T) {
	vcs := []debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: "0123456789abcdef0123"}, {Key: "vcs.modified", Value: "false"}}
	dirty := append(vcs[:2:2], debug.BuildSetting{Key: "vcs.modified", Value: "true"})
	for _, tt := range []struct {
		module   string
		settings []debug.BuildSetting
		want     string
	}{
		{"v1.2.3", vcs, "1.2.3"},
		{"v0.0.0-20261122060711-0123456789ab+dirty", dirty, "0.0.0-20261122060711-0123456789ab+dirty"},
		{"(devel)", vcs, "devel-0123456789ab"},
		{"(devel)", dirty, "devel-0123456789ab+dirty"},
		{"(devel)", nil, "devel"},
		{"", nil, "devel"},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Version: tt.module}, Settings: tt.settings}
		if got := versionOf(info); got != tt.want {
			t.Errorf("%s with %v: got %s, want %s", tt.module, tt.settings, got, tt.want)
		}
	}
}
