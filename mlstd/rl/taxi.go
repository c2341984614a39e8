package rl

import "fmt"

// The stands of the taxi: R, G, Y, B.
var stands = [4][2]int{{0, 0}, {0, 4}, {4, 0}, {4, 3}}

// Walls on the right side of a cell of the taxi's city: row, column.
var taxiWalls = map[[2]int]bool{
	{0, 1}: true, {1, 1}: true,
	{3, 0}: true, {4, 0}: true, {3, 2}: true, {4, 2}: true,
}

// TaxiState describes a state of the [Taxi] process.
type TaxiState struct {
	Row, Col    int // of the taxi, 0 to 4
	Passenger   int // the stand where the passenger waits; 4 is in the taxi
	Destination int // a stand
}

// Number returns the index of the state.
func (t TaxiState) Number() int { return ((t.Row*5+t.Col)*5+t.Passenger)*4 + t.Destination }

// TaxiStateOf returns the state with the given index.
func TaxiStateOf(number int) TaxiState {
	return TaxiState{Row: number / 100, Col: number / 20 % 5, Passenger: number / 4 % 5, Destination: number % 4}
}

// Taxi returns the process of Gymnasium's Taxi-v4. In a city of 5 x 5 cells with walls, a taxi must
// pick up a passenger at one of four stands and drop the passenger off at another. Actions are
// south, north, east, west, pick up, drop off. A step costs 1, and a pick-up or drop-off at the
// wrong place costs 10. The right drop-off has reward 20 and ends the episode.
//
// References: [Dietterich2000b].
func Taxi() *MDP {
	m := NewMDP(500, 6, func(s, a int) []Outcome { return []Outcome{taxiStep(TaxiStateOf(s), a)} })
	m.Discount = 0.99
	m.ActionNames = []string{"south", "north", "east", "west", "pick up", "drop off"}
	m.Start = make([]float64, 500)
	for s := range m.Start {
		t := TaxiStateOf(s)
		m.StateNames = append(m.StateNames, fmt.Sprintf("taxi (%d,%d), passenger %c, to %c", t.Row, t.Col, "RGYBT"[t.Passenger], "RGYB"[t.Destination]))
		if t.Passenger < 4 && t.Passenger != t.Destination {
			m.Start[s] = 1.0 / 300
		}
	}
	return m
}

func taxiStep(t TaxiState, action int) Outcome {
	o := Outcome{Prob: 1, Reward: -1}
	here := [2]int{t.Row, t.Col}
	switch action {
	case 0:
		t.Row = min(t.Row+1, 4)
	case 1:
		t.Row = max(t.Row-1, 0)
	case 2:
		if t.Col < 4 && !taxiWalls[here] {
			t.Col++
		}
	case 3:
		if t.Col > 0 && !taxiWalls[[2]int{t.Row, t.Col - 1}] {
			t.Col--
		}
	case 4:
		if t.Passenger < 4 && here == stands[t.Passenger] {
			t.Passenger = 4
		} else {
			o.Reward = -10
		}
	case 5:
		o.Reward = -10
		if t.Passenger == 4 {
			for i, stand := range stands {
				if here != stand {
					continue
				}
				if t.Passenger, o.Reward = i, -1; i == t.Destination {
					o.Reward, o.Terminal = 20, true
				}
			}
		}
	}
	o.Next = t.Number()
	return o
}
