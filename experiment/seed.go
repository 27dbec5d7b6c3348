package experiment

import (
	"crypto/sha256"
	"encoding/binary"
)

// Seed is the seed of one draw: a hash of the base seed, the name of the data and the
// number of the repeat. The method has no part in it, so all methods meet the same data.
// Seeds stay below 2^53, so that every program reads them exactly from JSON.
func Seed(base uint64, data string, repeat int) uint64 {
	h := sha256.New()
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], base)
	binary.BigEndian.PutUint64(b[8:], uint64(repeat))
	h.Write(b[:])
	h.Write([]byte(data))
	return binary.BigEndian.Uint64(h.Sum(nil)) >> 11
}
