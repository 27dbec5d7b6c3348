package inlier

import (
	"context"
	"fmt"
	"time"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linalg/fastblas"
	"github.com/inlier-ml/inlier/report"
)

// KernelTimes is the job of measuring the matrix products that decide how long a fit
// takes, beside gonum's own product. The best of five runs counts.
type KernelTimes struct {
	Size int    `json:"size,omitempty"` // rows and columns of the square matrices; 0: 1024
	Seed uint64 `json:"seed,omitempty"`
}

// KernelTimesResult holds one line per product.
type KernelTimesResult struct{ Products []KernelTime }

// KernelTime is the speed of one product.
type KernelTime struct {
	Product string  `json:"product"`
	Kernel  string  `json:"kernel"`
	Threads int     `json:"threads"`
	Seconds float64 `json:"seconds"`
	Speed   float64 `json:"gflops"`
}

// Check refuses sizes that make no sense.
func (k KernelTimes) Check() error {
	if k.Size < 16 || k.Size > 16384 {
		return usage("it is a number from 16 to 16384", "--size %d is not allowed", k.Size)
	}
	return nil
}

// Run measures.
func (k KernelTimes) Run(ctx context.Context, o Observer) (*KernelTimesResult, error) {
	ctx = given.Context(ctx)
	if k.Size == 0 {
		k.Size = 1024
	}
	if err := k.Check(); err != nil {
		return nil, err
	}
	n := k.Size
	random := dataset.Random(k.Seed, "bench kernel")
	x, y, z := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
	for i := range x {
		x[i], y[i] = random.NormFloat64(), random.NormFloat64()
	}
	const columns = 784
	rows := min(8192, 8*n)
	table, weights, gram := make([]float64, rows*columns), make([]float64, rows), make([]float64, columns*columns)
	for i := range table {
		table[i] = random.NormFloat64()
	}
	for i := range weights {
		weights[i] = random.Float64()
	}
	cube := 2 * float64(n) * float64(n) * float64(n)
	square := fmt.Sprintf("square %d", n)
	jobs := []struct {
		product, kernel string
		threads         int
		operations      float64
		do              func()
	}{
		{square, "gonum", 1, 0.125 * cube, func() { // of half the size: it is slow
			h := n / 2
			gonum.Implementation{}.Dgemm(blas.NoTrans, blas.NoTrans, h, h, h, 1, x, h, y, h, 0, z, h)
		}},
		{square, linalg.Backend(), 1, cube, func() { fastblas.Gemm(1, false, false, n, n, n, 1, x, n, y, n, 0, z, n) }},
		{square, linalg.Backend(), linalg.Threads(), cube, func() { fastblas.Gemm(linalg.Threads(), false, false, n, n, n, 1, x, n, y, n, 0, z, n) }},
		{fmt.Sprintf("weighted Gram %d x %d", rows, columns), linalg.Backend(), linalg.Threads(), float64(rows) * columns * (columns + 1), func() {
			clear(gram)
			fastblas.WeightedGram(linalg.Threads(), rows, columns, table, columns, weights, nil, gram, columns)
		}},
		{fmt.Sprintf("thin %d x %d x 50", rows, columns), linalg.Backend(), linalg.Threads(), 2 * float64(rows) * columns * 50, func() {
			fastblas.Gemm(linalg.Threads(), false, false, rows, 50, columns, 1, table, columns, gram[:columns*50], 50, 0, make([]float64, rows*50), 50)
		}},
	}
	result := &KernelTimesResult{}
	r := newReporter("kernel-times", o)
	for done, job := range jobs {
		r.send(Event{Phase: "measure", Label: job.product + ", " + job.kernel, Done: done, Total: len(jobs)})
		s, err := fastest(ctx, 5, job.do)
		if err != nil {
			return nil, err
		}
		result.Products = append(result.Products, KernelTime{job.product, job.kernel, job.threads, s, job.operations / s / 1e9})
	}
	return result, nil
}

// MarshalJSON writes the lines.
func (k *KernelTimesResult) MarshalJSON() ([]byte, error) { return report.JSON(k.Products) }

// Table lays the speeds out.
func (k *KernelTimesResult) Table() *report.Table {
	t := &report.Table{Title: "Speed of matrix products, best of five runs",
		Columns: []report.Column{{Name: "product"}, {Name: "kernel"}, {Name: "threads"}, {Name: "time", Unit: "ms", Format: "%.2f"}, {Name: "speed", Unit: "GF/s", Format: "%.1f"}}}
	for _, p := range k.Products {
		t.Add(p.Product, p.Kernel, p.Threads, 1000*p.Seconds, p.Speed)
	}
	return t
}

// fastest returns the shortest time of several runs, in seconds, after one to warm up.
func fastest(ctx context.Context, runs int, do func()) (float64, error) {
	do()
	best := time.Duration(1 << 62)
	for range runs {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		began := time.Now()
		do()
		best = min(best, time.Since(began))
	}
	return best.Seconds(), nil
}
