package dataset

import (
	"math/rand/v2"

	"github.com/inlier-ml/inlier/internal/random"
)

// Random returns the random source for one purpose under one seed. What is drawn for a
// given pair is fixed for ever; tests pin it.
func Random(seed uint64, purpose string) *rand.Rand { return random.New(seed, purpose) }
