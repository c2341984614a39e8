package rl

import (
	"fmt"
	"math"
	"strings"

	"github.com/gokernel/gokernel/mlstd/model"
)

// GridWorld is a world drawn as text, with one character for each cell:
//
//	S start   G goal, the end   X pit, the end   C cliff, back to the start
//	# wall    . or any other: nothing
//
// The agent moves to a neighboring cell; a step into a wall or out of the grid does not move the
// agent. The reward is Goal for entering a goal, Pit for a pit, Cliff for a cliff, and Step for any
// other step. States are numbered row by row; walls and terminal cells have numbers, too.
//
//	w := rl.GridWorld{Map: []string{"..G", "S.."}, Goal: 100}
//
// References: [Mitchell1997], fig. 13.2; [Sutton2018], ex. 6.6.
//
// Course: RL-01, RL-05.
type GridWorld struct {
	Map   []string
	Goal  float64 // 0 means 1
	Pit   float64
	Cliff float64
	Step  float64
	// Slip is the probability that the agent moves at a right angle to the chosen direction
	// instead. Each of the two sides has probability Slip/2.
	Slip     float64
	Discount float64 // γ; 0 means 0.9
	// Moves are the directions of the actions, in the order of their numbers; empty means "↑→↓←".
	// Directions that are next to each other in the list must be at right angles.
	Moves string
}

// FrozenLake returns the world of Gymnasium's FrozenLake-v1. Holes are pits, and the goal has
// reward 1. On slippery ice, two thirds of the steps go sideways. Size is 4 or 8.
func FrozenLake(size int, slippery bool) *GridWorld {
	w := &GridWorld{Moves: "←↓→↑", Discount: 1}
	switch size {
	case 4:
		w.Map = []string{"S...", ".X.X", "...X", "X..G"}
	case 8:
		w.Map = []string{"S.......", "........", "...X....", ".....X..", "...X....", ".XX...X.", ".X..X.X.", "...X...G"}
	default:
		panic(model.Errorf("FrozenLake", "size must be 4 or 8, got %d", size).WithHint("use GridWorld for other maps"))
	}
	if slippery {
		w.Slip = 2.0 / 3
	}
	return w
}

// CliffWalking returns the world of Gymnasium's CliffWalking-v1. The agent walks from the lower
// left to the lower right cell, and every step costs 1. A step into the cliff between the two cells
// costs 100 and leads back to the start.
//
// References: [Sutton2018], ex. 6.6.
func CliffWalking() *GridWorld {
	row := strings.Repeat(".", 12)
	return &GridWorld{
		Map:  []string{row, row, row, "S" + strings.Repeat("C", 10) + "G"},
		Goal: -1, Cliff: -100, Step: -1, Discount: 1,
	}
}

var directions = map[rune][2]int{'↑': {-1, 0}, '→': {0, 1}, '↓': {1, 0}, '←': {0, -1}}

// grid is a GridWorld that has been read.
type grid struct {
	h, w  int
	cells []rune
	start []int
	moves []rune
}

func (g *GridWorld) read() (*grid, error) {
	const op = "GridWorld"
	r := &grid{h: len(g.Map), moves: []rune(g.Moves)}
	if len(r.moves) == 0 {
		r.moves = []rune("↑→↓←")
	}
	for _, m := range r.moves {
		if _, ok := directions[m]; !ok {
			return nil, model.Errorf(op, "Moves must have only ↑ → ↓ ←, got %q", m)
		}
	}
	if !(g.Slip >= 0 && g.Slip <= 1) {
		return nil, model.Errorf(op, "Slip must be between 0 and 1, got %v", g.Slip)
	}
	for i, line := range g.Map {
		cells := []rune(line)
		if i == 0 {
			r.w = len(cells)
		}
		if len(cells) != r.w || r.w == 0 {
			return nil, model.Errorf(op, "all rows of Map must have the same length, but row %d has %d cells and row 0 has %d", i, len(cells), r.w)
		}
		for j, c := range cells {
			if c == 'S' {
				r.start = append(r.start, i*r.w+j)
			}
		}
		r.cells = append(r.cells, cells...)
	}
	if r.h == 0 {
		return nil, model.Errorf(op, "Map must not be empty").WithHint(`set a map such as Map: []string{"..G", "S.."}`)
	}
	if len(r.start) == 0 && strings.ContainsRune(strings.Join(g.Map, ""), 'C') {
		return nil, model.Errorf(op, "Map must have a start S if it has a cliff")
	}
	return r, nil
}

// to is the cell that a step from s in a direction ends in.
func (r *grid) to(s int, move rune) int {
	d := directions[move]
	i, j := s/r.w+d[0], s%r.w+d[1]
	if i < 0 || i >= r.h || j < 0 || j >= r.w || r.cells[i*r.w+j] == '#' {
		return s
	}
	return i*r.w + j
}

// MDP returns the process of the world.
func (g *GridWorld) MDP() (*MDP, error) {
	r, err := g.read()
	if err != nil {
		return nil, err
	}
	k := len(r.moves)
	m := NewMDP(r.h*r.w, k, func(s, a int) []Outcome {
		if strings.ContainsRune("GXC#", r.cells[s]) {
			return nil
		}
		if g.Slip == 0 || k == 1 {
			return []Outcome{g.outcome(r, s, r.moves[a], 1)}
		}
		return []Outcome{
			g.outcome(r, s, r.moves[(a+k-1)%k], g.Slip/2),
			g.outcome(r, s, r.moves[a], 1-g.Slip),
			g.outcome(r, s, r.moves[(a+1)%k], g.Slip/2),
		}
	})
	m.Discount = g.Discount
	for _, c := range r.moves {
		m.ActionNames = append(m.ActionNames, string(c))
	}
	for s := range m.Outcomes {
		m.StateNames = append(m.StateNames, fmt.Sprintf("(%d,%d)", s/r.w, s%r.w))
	}
	if len(r.start) > 0 {
		m.Start = make([]float64, r.h*r.w)
		for _, s := range r.start {
			m.Start[s] = 1 / float64(len(r.start))
		}
	}
	return m, nil
}

func (g *GridWorld) outcome(r *grid, s int, move rune, p float64) Outcome {
	o := Outcome{Prob: p, Next: r.to(s, move), Reward: g.Step}
	switch r.cells[o.Next] {
	case 'G':
		o.Reward, o.Terminal = model.Or(g.Goal, 1), true
	case 'X':
		o.Reward, o.Terminal = g.Pit, true
	case 'C':
		o.Reward, o.Next = g.Cliff, r.start[0]
	}
	return o
}

// Env returns the world as an environment for an agent.
func (g *GridWorld) Env() (*Process, error) {
	m, err := g.MDP()
	if err != nil {
		return nil, err
	}
	return m.Env()
}

// Values arranges the values of the states in the rows of the grid, with NaN for walls.
func (g *GridWorld) Values(v []float64) [][]float64 {
	r := g.must("GridWorld.Values", len(v))
	out := make([][]float64, r.h)
	for i := range out {
		out[i] = append([]float64(nil), v[i*r.w:(i+1)*r.w]...)
		for j := range out[i] {
			if r.cells[i*r.w+j] == '#' {
				out[i][j] = math.NaN()
			}
		}
	}
	return out
}

// Arrows returns a policy as rows of text: an arrow for each cell, and the letter of the map for
// cells without an action.
func (g *GridWorld) Arrows(policy []int) []string {
	r := g.must("GridWorld.Arrows", len(policy))
	out := make([]string, r.h)
	for i := range out {
		row := make([]rune, r.w)
		for j := range row {
			s := i*r.w + j
			if a := policy[s]; a >= 0 && a < len(r.moves) {
				row[j] = r.moves[a]
			} else {
				row[j] = r.cells[s]
			}
		}
		out[i] = string(row)
	}
	return out
}

// must reads the map for a call that has numbers of its n states.
func (g *GridWorld) must(op string, n int) *grid {
	r, err := g.read()
	if err != nil {
		panic(err)
	}
	if n != r.h*r.w {
		panic(model.Errorf(op, "the values must have %d entries (one per cell, row by row), got %d", r.h*r.w, n))
	}
	return r
}
