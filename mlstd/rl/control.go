package rl

import (
	"math"
	"math/rand/v2"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Simulator is an environment whose next state is a known function of the state and the action.
type Simulator interface {
	NumActions() int
	Bounds() (low, high []float64)
	// Next writes the state that follows x to y.
	Next(x []float64, action int, y []float64) (reward float64, ended bool)
}

// MountainCar is a car in a valley whose motor is too weak for the hill, as in Gymnasium's
// MountainCar-v0. Actions push the car left, not at all, or right. Each step costs 1 until the
// position reaches 0.5. A state consists of the position and the velocity.
//
//	v ← v + 0.001·(a − 1) − 0.0025·cos 3x;  x ← x + v
//
// References: [Moore1990]; [Sutton2018], ex. 10.1.
//
// Course: RL-14.
type MountainCar struct {
	X, V    float64 // position in [−1.2, 0.6], velocity in [−0.07, 0.07] a step
	pcg     rand.PCG
	running bool
}

// NumActions returns 3: push left, do not push, push right.
func (c *MountainCar) NumActions() int { return 3 }

// Bounds returns the bounds of position and velocity.
func (c *MountainCar) Bounds() (low, high []float64) {
	return []float64{-1.2, -0.07}, []float64{0.6, 0.07}
}

// Gamma returns 1, because every step costs the same.
func (c *MountainCar) Gamma() float64 { return 1 }

// Reset puts the car at rest at a random position near the bottom, between −0.6 and −0.4.
func (c *MountainCar) Reset(seed uint64) {
	model.SeedRand(&c.pcg, seed, 0)
	c.X, c.V, c.running = -0.6+0.2*uniform(&c.pcg), 0, true
}

// SetState sets the position and velocity of the car.
func (c *MountainCar) SetState(x, v float64) { c.X, c.V, c.running = x, v, true }

// Observe writes position and velocity to x.
func (c *MountainCar) Observe(x []float64) { x[0], x[1] = c.X, c.V }

// Step takes an action for one time step.
func (c *MountainCar) Step(action int) (reward float64, ended bool) {
	if !c.running || action < 0 || action > 2 {
		misuse("MountainCar.Step", action, 3, c.running)
	}
	c.X, c.V = mountain(c.X, c.V, action)
	c.running = c.X < 0.5 || c.V < 0
	return -1, !c.running
}

// Next writes the state that follows x to y.
func (c *MountainCar) Next(x []float64, action int, y []float64) (reward float64, ended bool) {
	y[0], y[1] = mountain(x[0], x[1], action)
	return -1, y[0] >= 0.5 && y[1] >= 0
}

func mountain(x, v float64, action int) (float64, float64) {
	v += float64(action-1)*0.001 + math.Cos(3*x)*-0.0025
	v = min(max(v, -0.07), 0.07)
	x = min(max(x+v, -1.2), 0.6)
	if x == -1.2 && v < 0 {
		v = 0
	}
	return x, v
}

// uniform is a number in [0, 1).
func uniform(pcg *rand.PCG) float64 { return float64(pcg.Uint64()>>11) / (1 << 53) }

// CartPole is a pole on a cart, as in Gymnasium's CartPole-v1. Actions push the cart left or right
// with 10 N. Each step has reward 1 until the pole leans by more than 12 degrees or the cart is
// more than 2.4 m from the middle. A state consists of position (m), velocity (m/s), angle (rad)
// and angular velocity (rad/s). A step takes 20 ms.
//
// References: [Barto1983].
//
// Course: RL-14.
type CartPole struct {
	State   [4]float64
	pcg     rand.PCG
	running bool
}

// NumActions returns 2: push left and push right.
func (c *CartPole) NumActions() int { return 2 }

// An episode ends beyond cartLimit (in meters) or poleLimit (in radians).
const (
	cartLimit = 2.4
	poleLimit = 12 * 2 * math.Pi / 360
)

// Bounds returns the bounds of the observations: for position and angle, twice the limits at which
// an episode ends.
func (c *CartPole) Bounds() (low, high []float64) {
	inf := math.Inf(1)
	return []float64{-2 * cartLimit, -inf, -2 * poleLimit, -inf}, []float64{2 * cartLimit, inf, 2 * poleLimit, inf}
}

// Reset draws all four numbers of the state uniformly from −0.05 to 0.05.
func (c *CartPole) Reset(seed uint64) {
	model.SeedRand(&c.pcg, seed, 0)
	for i := range c.State {
		c.State[i] = -0.05 + 0.1*uniform(&c.pcg)
	}
	c.running = true
}

// SetState sets the state of cart and pole.
func (c *CartPole) SetState(x [4]float64) { c.State, c.running = x, true }

// Observe writes the state to x.
func (c *CartPole) Observe(x []float64) { copy(x, c.State[:]) }

// Step takes an action for one time step.
func (c *CartPole) Step(action int) (reward float64, ended bool) {
	if !c.running || action < 0 || action > 1 {
		misuse("CartPole.Step", action, 2, c.running)
	}
	ended = cartPole(c.State[:], action, c.State[:])
	c.running = !ended
	return 1, ended
}

// Next writes the state that follows x to y.
func (c *CartPole) Next(x []float64, action int, y []float64) (reward float64, ended bool) {
	return 1, cartPole(x, action, y)
}

// cartPole is a step of Euler's method with the equations of motion of Barto,
// Sutton and Anderson: cart 1 kg, pole 0.1 kg and 1 m.
func cartPole(s []float64, action int, next []float64) (ended bool) {
	const (
		gravity, total, half = 9.8, 1.1, 0.5
		pole                 = 0.1
		moment               = pole * half
		tau                  = 0.02
	)
	x, dx, angle, dAngle := s[0], s[1], s[2], s[3]
	force := -10.0
	if action == 1 {
		force = 10
	}
	sin, cos := math.Sincos(angle)
	push := (force + moment*(dAngle*dAngle)*sin) / total
	turn := (gravity*sin - cos*push) / (half * (4.0/3.0 - pole*(cos*cos)/total))
	pull := push - moment*turn*cos/total
	next[0], next[1] = x+tau*dx, dx+tau*pull
	next[2], next[3] = angle+tau*dAngle, dAngle+tau*turn
	return math.Abs(next[0]) > cartLimit || math.Abs(next[2]) > poleLimit
}
