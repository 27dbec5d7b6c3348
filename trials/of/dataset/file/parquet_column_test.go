package file

import (
	"math"
)

func truth(v *bool) float64 {
	switch {
	case v == nil:
		return math.NaN()
	case *v:
		return 1
	}
	return 0
}
