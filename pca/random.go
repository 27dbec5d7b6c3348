package pca

import (
	"hash/fnv"
	"math/rand/v2"
)

// newRandom makes the generator for one purpose of one seed.
func newRandom(seed uint64, purpose string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(purpose))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}
