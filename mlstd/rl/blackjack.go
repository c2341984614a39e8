package rl

import (
	"fmt"
	"math/rand/v2"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Actions of [Blackjack].
const (
	Stick = 0
	Hit   = 1
)

// BlackjackState is the state of [Blackjack] that the player sees.
type BlackjackState struct {
	Sum    int // of the player's cards, an ace as 11 if the sum stays at most 21
	Dealer int // the dealer's open card, 1 is an ace
	Ace    bool
}

// Number returns the index of the state: Sum in 4..31, Dealer in 1..10.
func (b BlackjackState) Number() int {
	n := (b.Sum*11 + b.Dealer) * 2
	if b.Ace {
		n++
	}
	return n
}

// BlackjackStateOf returns the state with the given index.
func BlackjackStateOf(number int) BlackjackState {
	return BlackjackState{Sum: number / 22, Dealer: number / 2 % 11, Ace: number%2 == 1}
}

// hand is cards as far as they count.
type hand struct {
	hard  int // the sum with aces as 1
	aces  int
	cards int
}

func (h *hand) add(card int) {
	h.hard += card
	h.cards++
	if card == 1 {
		h.aces++
	}
}

func (h *hand) usable() bool { return h.aces > 0 && h.hard+10 <= 21 }

func (h *hand) sum() int {
	if h.usable() {
		return h.hard + 10
	}
	return h.hard
}

func (h *hand) score() int {
	if s := h.sum(); s <= 21 {
		return s
	}
	return 0
}

func (h *hand) natural() bool { return h.cards == 2 && h.hard == 11 && h.aces == 1 }

// Blackjack is the game of Gymnasium's Blackjack-v1 and of Sutton and Barto. The player hits or
// sticks; then the dealer hits below 17. Cards are drawn with replacement. The reward is 1 for a
// win and −1 for a loss. A natural (an ace and a ten) wins unless the dealer also has a natural.
//
// References: [Sutton2018], ex. 5.1.
type Blackjack struct {
	// PlainNaturals counts a natural as an ordinary 21, as Gymnasium does by default.
	PlainNaturals bool
	// Deck returns the next card, 1 to 10; nil draws from an endless deck.
	Deck func() int `json:"-"`

	pcg            rand.PCG
	rng            *rand.Rand
	player, dealer hand
	open           int
	running        bool
}

// NumActions returns 2: stick and hit.
func (b *Blackjack) NumActions() int { return 2 }

// NumStates returns the number of state indices; many of them do not occur in a game.
func (b *Blackjack) NumStates() int { return 32 * 22 }

// Gamma returns 1, because the game is short.
func (b *Blackjack) Gamma() float64 { return 1 }

// State returns the index of the state that the player sees.
func (b *Blackjack) State() int { return b.Table().Number() }

// Table returns the state that the player sees.
func (b *Blackjack) Table() BlackjackState {
	return BlackjackState{Sum: b.player.sum(), Dealer: b.open, Ace: b.player.usable()}
}

func (b *Blackjack) card() int {
	if b.Deck != nil {
		return b.Deck()
	}
	return min(1+b.rng.IntN(13), 10)
}

// Reset deals two cards to the dealer and two to the player.
func (b *Blackjack) Reset(seed uint64) {
	if b.rng == nil {
		b.rng = rand.New(&b.pcg)
	}
	model.SeedRand(&b.pcg, seed, 0)
	b.dealer, b.player = hand{}, hand{}
	b.open = b.card()
	b.dealer.add(b.open)
	b.dealer.add(b.card())
	b.player.add(b.card())
	b.player.add(b.card())
	b.running = true
}

// Step plays [Stick] or [Hit].
func (b *Blackjack) Step(action int) (reward float64, ended bool) {
	if !b.running || action < 0 || action > 1 {
		misuse("Blackjack.Step", action, 2, b.running)
	}
	if action == Hit {
		b.player.add(b.card())
		if b.player.sum() > 21 {
			b.running = false
			return -1, true
		}
		return 0, false
	}
	b.running = false
	for b.dealer.sum() < 17 {
		b.dealer.add(b.card())
	}
	if !b.PlainNaturals && b.player.natural() && !b.dealer.natural() {
		return 1, true
	}
	return float64(compare(b.player.score(), b.dealer.score())), true
}

func compare(a, b int) int {
	switch {
	case a > b:
		return 1
	case a < b:
		return -1
	}
	return 0
}

// BlackjackMDP returns the game as a known Markov decision process, with an endless deck and
// naturals that count as 21. Its states are the states of [Blackjack].
//
// References: [Sutton2018], ex. 5.1, fig. 5.2.
func BlackjackMDP() *MDP {
	outcomes := dealerScores()
	m := NewMDP(32*22, 2, func(s, a int) []Outcome {
		b := BlackjackStateOf(s)
		if b.Dealer < 1 || b.Sum < 4 || b.Sum > 21 || (b.Ace && b.Sum < 12) {
			return nil
		}
		if a == Stick {
			return stick(s, b, outcomes[b.Dealer])
		}
		return hit(b)
	})
	m.Discount = 1
	m.ActionNames = []string{"stick", "hit"}
	m.Start = make([]float64, 32*22)
	for first := 1; first <= 10; first++ {
		for second := 1; second <= 10; second++ {
			for dealer := 1; dealer <= 10; dealer++ {
				var h hand
				h.add(first)
				h.add(second)
				b := BlackjackState{Sum: h.sum(), Dealer: dealer, Ace: h.usable()}
				m.Start[b.Number()] += cardProb(first) * cardProb(second) * cardProb(dealer)
			}
		}
	}
	for s := range m.Outcomes {
		b := BlackjackStateOf(s)
		ace := ""
		if b.Ace {
			ace = ", usable ace"
		}
		m.StateNames = append(m.StateNames, fmt.Sprintf("%d against %d%s", b.Sum, b.Dealer, ace))
	}
	return m
}

// cardProb is the probability of a card of an endless deck.
func cardProb(card int) float64 {
	if card == 10 {
		return 4.0 / 13
	}
	return 1.0 / 13
}

// dealerScores returns, by the dealer's open card, the probability of each final
// score; 0 is too much.
func dealerScores() [11][22]float64 {
	var out [11][22]float64
	var play func(h hand, p float64, into *[22]float64)
	play = func(h hand, p float64, into *[22]float64) {
		if h.sum() >= 17 {
			into[h.score()] += p
			return
		}
		for card := 1; card <= 10; card++ {
			next := h
			next.add(card)
			play(next, p*cardProb(card), into)
		}
	}
	for open := 1; open <= 10; open++ {
		var h hand
		h.add(open)
		play(h, 1, &out[open])
	}
	return out
}

func stick(s int, b BlackjackState, dealer [22]float64) []Outcome {
	var p [3]float64 // lost, drawn, won
	for score, q := range dealer {
		p[1+compare(b.Sum, score)] += q
	}
	var out []Outcome
	for i, q := range p {
		if q > 0 {
			out = append(out, Outcome{Prob: q, Next: s, Reward: float64(i - 1), Terminal: true})
		}
	}
	return out
}

func hit(b BlackjackState) []Outcome {
	h := hand{hard: b.Sum}
	if b.Ace {
		h.hard, h.aces = b.Sum-10, 1
	}
	var out []Outcome
	for card := 1; card <= 10; card++ {
		next := h
		next.add(card)
		n := BlackjackState{Sum: next.sum(), Dealer: b.Dealer, Ace: next.usable()}
		o := Outcome{Prob: cardProb(card), Next: n.Number()}
		if n.Sum > 21 {
			o.Reward, o.Terminal = -1, true
		}
		out = append(out, o)
	}
	return out
}
