package random

import (
	"testing"

	"github.com/inlier-ml/inlier/internal/random"
)

// What is drawn is fixed for ever. The first number was computed independently:
//
//	python3 -c "
//	import hashlib
//	s = hashlib.sha256((7).to_bytes(8,'big') + b'rows').digest()
//	hi, lo = int.from_bytes(s[:8],'big'), int.from_bytes(s[8:16],'big')
//	m = (1 << 128) - 1
//	x = ((hi << 64 | lo) * (2549297995355413924 << 64 | 4865540595714422341) + (6364136223846793005 << 64 | 1442695040888963407)) & m
//	hi, lo = x >> 64, x & (1 << 64) - 1
//	mul = 0xda942042e4dd58b5
//	hi ^= hi >> 32; hi = hi * mul & (1 << 64) - 1; hi ^= hi >> 48; hi = hi * (lo | 1) & (1 << 64) - 1
//	print(hi)"
func TestDrawsAreFixed(t *testing.T) {
	if got, want := random.New(7, "rows").Uint64(), uint64(1337027644734527084); got != want {
		t.Errorf("first number is %d, want %d", got, want)
	}
	if random.New(7, "rows").Uint64() == random.New(7, "columns").Uint64() || random.New(7, "rows").Uint64() == random.New(8, "rows").Uint64() {
		t.Error("purposes or seeds share their numbers")
	}
}
