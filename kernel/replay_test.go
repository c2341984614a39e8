package kernel

import (
	"strings"
	"testing"

	"github.com/gokernel/gokernel/kernel/msg"
)

func shown(id string) msg.DisplayData {
	return msg.DisplayData{Data: msg.Dict{"text/plain": id}, Transient: map[string]any{"display_id": id}}
}

func TestReplayIsBounded(t *testing.T) {
	var r replay
	r.add("display_data", shown("bar"))
	block := msg.Stream{Name: "stdout", Text: strings.Repeat("x", 64<<10)}
	for range 40 {
		r.add("stream", block)
	}
	if len(r.shown) != 0 {
		t.Errorf("%d messages are kept although they exceed maxReplay", len(r.shown))
	}
	if _, ok := r.without("bar"); ok {
		t.Error("without clears outputs that are no longer known")
	}
	r.add("clear_output", msg.ClearOutput{})
	r.add("display_data", shown("bar"))
	if rest, ok := r.without("bar"); !ok || len(rest) != 0 {
		t.Errorf("after a clear: %v, %v", rest, ok)
	}
}

func TestReplayKeepsTheNewestUpdate(t *testing.T) {
	var r replay
	r.add("display_data", shown("a"))
	r.add("display_data", shown("bar"))
	newer := shown("a")
	newer.Data = msg.Dict{"text/plain": "newer"}
	r.add("update_display_data", newer)
	rest, ok := r.without("bar")
	if !ok || len(rest) != 1 || rest[0].kind != "display_data" || rest[0].content.(msg.DisplayData).Data["text/plain"] != "newer" {
		t.Errorf("got %v, %v", rest, ok)
	}
	if _, ok := r.without("bar"); ok {
		t.Error("a display was removed twice")
	}
}

func TestReplayAfterAWaitingClear(t *testing.T) {
	var r replay
	r.add("stream", msg.Stream{Name: "stdout", Text: "old"})
	r.add("clear_output", msg.ClearOutput{Wait: true})
	r.add("display_data", shown("bar"))
	if rest, ok := r.without("bar"); !ok || len(rest) != 0 {
		t.Errorf("outputs came back after a clear: %v, %v", rest, ok)
	}
}
