package course

import (
	"strings"
	"testing"

	"github.com/gokernel/gokernel/mlstd/nn"
)

func TestBackpropagation(t *testing.T) {
	b := nn.XORNetwork().Backprop([]float64{1, -1}, 0.5)
	f, err := Backpropagation(b).Figure()
	if err != nil {
		t.Fatal(err)
	}
	if want := "backpropagation, loss 0.125\ninput: 1 -1\nhidden: 1 (δ 0) -1 (δ 0)\noutput: 1 (δ 0)"; strings.ReplaceAll(f.Text, "−", "-") != want {
		t.Errorf("the text is %q", f.Text)
	}
	if _, ok := render(b); !ok {
		t.Error("a Backpropagation has no looks of its own")
	}
	if d, ok := render(nn.MLP(2, 3, 1)); !ok {
		t.Error("a network has no looks of its own")
	} else if f, err := d.(*Drawing).Figure(); err != nil || f.Text != "network of layers with 2 3 1 units" {
		t.Errorf("the network is %v, %v", f, err)
	}
	if _, ok := render(&nn.Network{Layers: []nn.Layer{nn.Flatten{}}}); ok {
		t.Error("a network of other layers is drawn")
	}
	for _, bad := range []*nn.Backpropagation{nil, {}, nn.MLP(9, 2).Backprop(make([]float64, 9), 0, 0)} {
		if _, err := Backpropagation(bad).Figure(); err == nil {
			t.Errorf("%v was drawn", bad)
		}
	}
}
