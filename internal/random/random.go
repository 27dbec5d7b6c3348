// Package random makes the sources of random numbers that everything in Inlier draws
// from: one for each seed and purpose, never a global one.
package random

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// New returns the random source for one purpose under one seed. The state of the PCG
// generator is the first 16 bytes of
//
//	SHA-256( seed as 8 bytes, big endian | purpose )
//
// read as two big-endian numbers. Purposes are therefore independent of each other:
// drawing more for one never shifts another. What is drawn for a given pair is fixed
// for ever; tests pin it.
func New(seed uint64, purpose string) *rand.Rand {
	text := binary.BigEndian.AppendUint64(nil, seed)
	sum := sha256.Sum256(append(text, purpose...))
	return rand.New(rand.NewPCG(binary.BigEndian.Uint64(sum[:8]), binary.BigEndian.Uint64(sum[8:16])))
}

// Uniform draws from [lo, hi).
func Uniform(r *rand.Rand, lo, hi float64) float64 { return lo + (hi-lo)*r.Float64() }

// Other draws one of the numbers 0 to n-1 that is not the given one, all equally likely.
func Other(r *rand.Rand, not, n int) int {
	other := r.IntN(n - 1)
	if other >= not {
		other++
	}
	return other
}
