package kernel

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// random is the source of random numbers for one purpose under one seed: a PCG whose
// state is the first 16 bytes of SHA-256(seed as 8 bytes, big endian | purpose).
func random(seed uint64, purpose string) *rand.Rand {
	text := binary.BigEndian.AppendUint64(nil, seed)
	sum := sha256.Sum256(append(text, purpose...))
	return rand.New(rand.NewPCG(binary.BigEndian.Uint64(sum[:8]), binary.BigEndian.Uint64(sum[8:16])))
}

// sample returns count of n different row numbers, in random order.
func sample(r *rand.Rand, n, count int) []int { return r.Perm(n)[:count] }
