package model

import (
	"math/rand/v2"
)

// Rand gives the generator that every algorithm draws from: PCG seeded with
// seed and the number of the stream, so that parallel parts of one algorithm
// have streams of their own and the result does not depend on GOMAXPROCS.
func Rand(seed, stream uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, stream^0x9e3779b97f4a7c15))
}
