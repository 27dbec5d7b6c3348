package linalg

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// textbookMoments sums around the mean of the numbers given, in two plain loops.
func textbookMoments(x *mat.Dense, w []float64) (float64, []float64, *mat.SymDense) {
	n, d := x.Dims()
	total := 0.0
	mean := make([]float64, d)
	for i := range n {
		total += weightAt(w, i)
	}
	for range 3 { // the mean, then its correction
		sum := make([]float64, d)
		for i := range n {
			for j := range d {
				sum[j] += weightAt(w, i) * (x.At(i, j) - mean[j])
			}
		}
		for j := range mean {
			mean[j] += sum[j] / total
		}
	}
	s := mat.NewSymDense(d, nil)
	for i := range n {
		for j := range d {
			for k := j; k < d; k++ {
				s.SetSym(j, k, s.At(j, k)+weightAt(w, i)*(x.At(i, j)-mean[j])*(x.At(i, k)-mean[k]))
			}
		}
	}
	return total, mean, s
}

func TestWeightedMomentsAgreeWithTextbook(t *testing.T) {
	for _, n := range []int{1, 2, 300, 5000} {
		for _, offset := range []float64{0, 1e8} {
			x := shifted(random(1, n, 5), offset)
			for _, w := range [][]float64{nil, weights(2, n)} {
				wantTotal, wantMean, wantScatter := textbookMoments(x, w)
				underThreads(t, func(t *testing.T, threads int) {
					for _, src := range []Source{FromDense(x), &fileLike{m: x, size: 37}} {
						total, mean, scatter, err := WeightedMoments(context.Background(), src, w)
						if err != nil {
							t.Fatal(err)
						}
						if math.Abs(total-wantTotal) > 1e-12*wantTotal {
							t.Errorf("total %v, want %v", total, wantTotal)
						}
						// the numbers themselves are 1.5e-8 apart at an offset of 1e8
						near(t, "mean", column(mean), column(wantMean), 1e-13+offset*2*epsilon)
						near(t, "scatter", scatter, wantScatter, 1e-12*float64(n))

						total, mean, err = WeightedMean(context.Background(), src, w)
						if err != nil {
							t.Fatal(err)
						}
						if math.Abs(total-wantTotal) > 1e-12*wantTotal {
							t.Errorf("total %v, want %v", total, wantTotal)
						}
						near(t, "mean", column(mean), column(wantMean), 1e-13+offset*2*epsilon)
					}
				})
			}
		}
	}
}

// A file whose first rows lie far from all others is read a second time instead of
// losing digits.
func TestMomentsOfAFileThatBeginsFarAway(t *testing.T) {
	x := random(1, 6000, 3)
	for i := range 1500 {
		for j := range 3 {
			x.Set(i, j, x.At(i, j)+1e9)
		}
	}
	w := make([]float64, 6000)
	for i := range w {
		w[i] = 1
		if i < 1500 {
			w[i] = 1e-30
		}
	}
	file := &fileLike{m: x, size: 100}
	_, _, scatter, err := WeightedMoments(context.Background(), file, w)
	if err != nil {
		t.Fatal(err)
	}
	_, _, want := textbookMoments(x, w)
	near(t, "scatter", scatter, want, 1e-9)
	if file.scans != 2 {
		t.Errorf("read %d times, want 2", file.scans)
	}
	steady := &fileLike{m: random(1, 6000, 3), size: 100}
	if _, _, _, err := WeightedMoments(context.Background(), steady, nil); err != nil || steady.scans != 1 {
		t.Errorf("read %d times, want 1 (%v)", steady.scans, err)
	}
}

func TestMomentsMergeInAnyGrouping(t *testing.T) {
	x, w := shifted(random(1, 900, 4), 1e6), weights(2, 900)
	piece := func(from, to int) *Moments {
		m := NewMoments(4)
		m.Add(rowsOf(x, from, to), w[from:to])
		return m
	}
	left := piece(0, 200)
	left.Merge(NewMoments(4))
	left.Merge(piece(200, 500))
	left.Merge(piece(500, 900))
	right := piece(200, 500)
	right.Merge(piece(500, 900))
	whole := NewMoments(4)
	whole.Merge(piece(0, 200))
	whole.Merge(right)
	total, mean, scatter := textbookMoments(x, w)
	for _, m := range []*Moments{left, whole} {
		if math.Abs(m.Total()-total) > 1e-12*total {
			t.Errorf("total %v, want %v", m.Total(), total)
		}
		near(t, "mean", column(m.Mean()), column(mean), 1e6*2*epsilon)
		near(t, "scatter", m.Scatter(), scatter, 1e-10)
	}
}

func TestMomentsRefuseBadInput(t *testing.T) {
	ctx := context.Background()
	stopped, stop := context.WithCancel(ctx)
	stop()
	x := random(1, 10, 2)
	for _, src := range []Source{FromDense(x), &fileLike{m: x, size: 3}} {
		for name, w := range map[string][]float64{
			"zeros": make([]float64, 10), "short": {1}, "negative": {1, 1, 1, 1, 1, -1, 1, 1, 1, 1},
			"NaN": {1, 1, 1, 1, 1, math.NaN(), 1, 1, 1, 1}, "Inf": {1, 1, 1, 1, 1, math.Inf(1), 1, 1, 1, 1},
		} {
			if _, _, _, err := WeightedMoments(ctx, src, w); err == nil {
				t.Errorf("%T, weights %s: no error", src, name)
			}
			if _, _, err := WeightedMean(ctx, src, w); err == nil {
				t.Errorf("%T, weights %s: no error from WeightedMean", src, name)
			}
		}
		if _, _, _, err := WeightedMoments(stopped, src, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("%T: error %v when cancelled", src, err)
		}
	}
	if _, _, _, err := WeightedMoments(ctx, &fileLike{m: x, size: 3, failAt: 5}, nil); !errors.Is(err, errBroken) {
		t.Errorf("error %v, want %v", err, errBroken)
	}
}
