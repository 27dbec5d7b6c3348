package linear

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/inlier-ml/inlier/linalg"
)

func dot(x, y []float64) float64 { return blas64.Implementation().Ddot(len(x), x, 1, y, 1) }

func axpy(alpha float64, x, y []float64) {
	blas64.Implementation().Daxpy(len(x), alpha, x, 1, y, 1)
}

func norm(x []float64) float64 { return blas64.Implementation().Dnrm2(len(x), x, 1) }

// newRandom makes the generator for one purpose of one seed.
func newRandom(seed uint64, purpose string, part int) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(purpose))
	return rand.New(rand.NewPCG(seed, h.Sum64()+uint64(part)*0x9e3779b97f4a7c15))
}

// parallel calls do(0) ... do(n-1), each once, on as many goroutines as linalg allows.
// The calls must not depend on one another.
func parallel(n int, do func(i int)) {
	var next atomic.Int64
	work := func() {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			do(i)
		}
	}
	var crew sync.WaitGroup
	for range min(linalg.Threads(), n) - 1 {
		crew.Go(work)
	}
	work()
	crew.Wait()
}

// median returns the middle value and reorders x.
func median(x []float64) float64 {
	n := len(x)
	if n == 0 {
		return math.NaN()
	}
	upper := selectNth(x, n/2)
	if n%2 == 1 {
		return upper
	}
	return slices.Max(x[:n/2])/2 + upper/2
}

// selectNth moves the k-th smallest value (from 0) to its place, smaller ones before it,
// and returns it.
func selectNth(x []float64, k int) float64 {
	low, high := 0, len(x)-1
	for low < high {
		// the median of three as pivot
		mid := low + (high-low)/2
		if x[mid] < x[low] {
			x[mid], x[low] = x[low], x[mid]
		}
		if x[high] < x[low] {
			x[high], x[low] = x[low], x[high]
		}
		if x[high] < x[mid] {
			x[high], x[mid] = x[mid], x[high]
		}
		pivot := x[mid]
		i, j := low, high
		for i <= j {
			for x[i] < pivot {
				i++
			}
			for pivot < x[j] {
				j--
			}
			if i <= j {
				x[i], x[j] = x[j], x[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			high = j
		case k >= i:
			low = i
		default:
			return x[k]
		}
	}
	return x[k]
}

// weightedMedian is the value that halves the weight (w nil: ones; then x is reordered).
func weightedMedian(x, w []float64) float64 {
	if w == nil {
		return median(append([]float64(nil), x...))
	}
	order := make([]int, len(x))
	total := 0.0
	for i := range order {
		order[i] = i
		total += w[i]
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case x[a] < x[b]:
			return -1
		case x[a] > x[b]:
			return 1
		}
		return a - b
	})
	sum := 0.0
	for k, i := range order {
		sum += w[i]
		if sum > total/2*(1+1e-12) {
			return x[i]
		}
		if sum >= total/2*(1-1e-12) && k+1 < len(order) {
			return x[i]/2 + x[order[k+1]]/2
		}
	}
	return x[order[len(order)-1]]
}
