package status

import (
	"strings"
	"testing"
	"time"
)

// play shows the texts, one per tick, and returns the output.
func play(terminal bool, last string, texts ...string) string {
	var w strings.Builder
	tick, asked := make(chan time.Time), make(chan struct{}, len(texts))
	i := 0
	stop := show(&w, terminal, tick, func() string {
		defer func() { i++; asked <- struct{}{} }()
		return texts[i]
	})
	<-asked
	for range texts[1:] {
		tick <- time.Time{}
		<-asked
	}
	stop(last)
	return w.String()
}

func TestShow(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, c := range []struct {
		name     string
		terminal bool
		last     string
		texts    []string
		want     string
	}{
		{"file", false, "done", []string{"1 of 3", "1 of 3", "", "2 of 3"}, "1 of 3\n2 of 3\ndone\n"},
		{"file, the last line once", false, "3 of 3", []string{"1 of 3", "3 of 3"}, "1 of 3\n3 of 3\n"},
		{"file, no last line", false, "", []string{"1 of 3"}, "1 of 3\n"},
		{"terminal", true, "done", []string{"1 of 3", "2 of 3"}, "\r\x1b[K1 of 3\r\x1b[K2 of 3\r\x1b[Kdone\n"},
		{"terminal, no last line", true, "", []string{"1 of 3"}, "\r\x1b[K1 of 3\r\x1b[K"},
		{"terminal, a line that is too long", true, "", []string{long}, "\r\x1b[K" + long[:78] + "…\r\x1b[K"},
		{"nothing", true, "", []string{""}, ""},
	} {
		if got := play(c.terminal, c.last, c.texts...); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 s", 1499 * time.Millisecond: "1 s", 59 * time.Second: "59 s", 60 * time.Second: "1 min 0 s", 125 * time.Second: "2 min 5 s",
	} {
		if got := Duration(d); got != want {
			t.Errorf("%v: got %q, want %q", d, got, want)
		}
	}
}
