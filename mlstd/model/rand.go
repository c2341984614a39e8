package model

import (
	"math/rand/v2"
)

// Rand returns the random generator that all algorithms use: PCG, seeded with seed and the number
// of the stream. Parallel parts of one algorithm use separate streams, so the result does not
// depend on GOMAXPROCS.
func Rand(seed, stream uint64) *rand.Rand {
	var pcg rand.PCG
	SeedRand(&pcg, seed, stream)
	return rand.New(&pcg)
}

// SeedRand seeds pcg like the source of [Rand], for loops that draw from many streams without
// allocation.
func SeedRand(pcg *rand.PCG, seed, stream uint64) { pcg.Seed(seed, stream^0x9e3779b97f4a7c15) }
