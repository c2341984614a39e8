package course

import (
	"strings"
	"testing"

	"github.com/gokernel/gokernel/mlstd/rl"
)

func TestWorlds(t *testing.T) {
	cart := &rl.CartPole{}
	cart.SetState([4]float64{1, 0, 0.1, 0})
	car := &rl.MountainCar{}
	car.SetState(-0.5, 0)
	deck := []int{10, 5, 1, 6}
	cards := &rl.Blackjack{Deck: func() int { c := deck[0]; deck = deck[1:]; return c }}
	cards.Reset(0)
	for _, tt := range []struct {
		world any
		want  string
	}{
		{&rl.GridWorld{Map: []string{"..G", "S#X"}}, "S"},
		{cart, "cart at 1.000 m, pole at 5.73 degrees"},
		{car, "mountain car at -0.500, velocity 0.0000"},
		{cards, "17, an ace counts 11 against 10"},
		{rl.TaxiState{Row: 2, Col: 3, Passenger: 4, Destination: 1}, "taxi at row 2, column 3; passenger: the taxi, to G"},
	} {
		f, err := World(tt.world).Figure()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(f.Text, tt.want) {
			t.Errorf("%T: the text is %q, want %q", tt.world, f.Text, tt.want)
		}
	}
	// A drawing shows the state at the time it was created.
	before := World(car)
	car.SetState(0.2, 0)
	if f, _ := before.Figure(); !strings.Contains(f.Text, "-0.500") {
		t.Errorf("the drawing moved: %q", f.Text)
	}
	for _, bad := range []any{nil, 3, rl.TaxiState{Row: 9}, &rl.GridWorld{}} {
		if _, err := World(bad).Figure(); err == nil {
			t.Errorf("%T was drawn", bad)
		}
	}
}
