package doctor

import (
	"strings"
	"testing"
)

func TestWrite(t *testing.T) {
	var b strings.Builder
	Write(&b, Finding{"memory", Note, "100 MB are free\nof 200", "End other kernels."})
	const want = "note   memory    100 MB are free\n" +
		"                 of 200\n" +
		"                 -> End other kernels.\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}
