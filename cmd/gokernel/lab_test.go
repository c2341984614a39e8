package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLabStartsWithThisKernel(t *testing.T) {
	const ours = "--MultiKernelManager.default_kernel_name=gokernel"
	const theirs = "--MappingKernelManager.default_kernel_name=python3"
	for _, c := range []struct{ args, want []string }{
		{nil, []string{ours}},
		{[]string{"course", "--no-browser"}, []string{"course", "--no-browser", ours}},
		// JupyterLab rejects duplicate options.
		{[]string{"course", theirs}, []string{"course", theirs}},
	} {
		if diff := cmp.Diff(c.want, withDefaultKernel(c.args)); diff != "" {
			t.Errorf("%v: (-want +got)\n%s", c.args, diff)
		}
	}
}
