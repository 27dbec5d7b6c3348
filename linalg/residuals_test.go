package linalg

import (
	"context"
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// directResiduals projects row by row: y = x - mean, c = V'y, s = ||y - Vc||^2.
func directResiduals(x *mat.Dense, mean []float64, v *mat.Dense) ([]float64, *mat.Dense) {
	n, d := x.Dims()
	m := columnsOf(v)
	s := make([]float64, n)
	scores := mat.NewDense(n, max(m, 1), nil)
	for i := range n {
		y := mat.NewVecDense(d, nil)
		for j := range d {
			y.SetVec(j, x.At(i, j)-mean[j])
		}
		if m > 0 {
			var c, p mat.VecDense
			c.MulVec(v.T(), y)
			p.MulVec(v, &c)
			scores.SetRow(i, c.RawVector().Data)
			y.SubVec(y, &p)
		}
		s[i] = mat.Dot(y, y)
	}
	return s, scores
}

func TestResidualsAgreeWithDirectProjection(t *testing.T) {
	const n, d = 1000, 30
	for _, offset := range []float64{0, 10, 1e8} {
		for _, m := range []int{0, 1, 7, 30} {
			x := shifted(random(1, n, d), offset)
			_, mean, err := WeightedMean(context.Background(), FromDense(x), nil)
			if err != nil {
				t.Fatal(err)
			}
			var v *mat.Dense
			if m > 0 {
				v = random(2, d, m)
				Orthonormalize(v)
			}
			want, wantScores := directResiduals(x, mean, v)
			var first []float64
			underThreads(t, func(t *testing.T, threads int) {
				for _, src := range []Source{FromDense(x), &fileLike{m: x, size: 77}} {
					s := make([]float64, n)
					scores := mat.NewDense(n, max(m, 1), nil)
					if err := Residuals(context.Background(), src, mean, v, s, scores); err != nil {
						t.Fatal(err)
					}
					if first == nil {
						first = s
					}
					near(t, "distances with other threads or source", column(s), column(first), 0)
					near(t, "distances", column(s), column(want), 1e-9*d)
					near(t, "scores", scores, wantScores, 1e-13+offset*d*epsilon)
					without := make([]float64, n)
					if err := Residuals(context.Background(), src, mean, v, without, nil); err != nil {
						t.Fatal(err)
					}
					near(t, "distances without scores", column(without), column(s), 0)
				}
			})
		}
	}
}

func TestScatterTimesAgreesWithTheScatter(t *testing.T) {
	const n, d, m = 3000, 12, 4
	for _, offset := range []float64{0, 3, 1e8} {
		x, v := shifted(random(1, n, d), offset), random(2, d, m)
		for _, w := range [][]float64{nil, weights(3, n)} {
			_, mean, scatter, err := WeightedMoments(context.Background(), FromDense(x), w)
			if err != nil {
				t.Fatal(err)
			}
			var want, first mat.Dense
			want.Mul(scatter, v)
			underThreads(t, func(t *testing.T, threads int) {
				for _, src := range []Source{FromDense(x), &fileLike{m: x, size: 77}} {
					got, err := ScatterTimes(context.Background(), src, w, mean, v)
					if err != nil {
						t.Fatal(err)
					}
					near(t, "product", got, &want, 1e-9)
					if first.IsEmpty() {
						first.CloneFrom(got)
					}
					near(t, "product with other threads or source", got, &first, 0)
				}
			})
		}
	}
	x := random(1, 100, 3)
	v := random(2, 3, 2)
	got, err := ScatterTimes(context.Background(), FromDense(x), nil, nil, v)
	if err != nil {
		t.Fatal(err)
	}
	var xv, want mat.Dense
	xv.Mul(x, v)
	want.Mul(x.T(), &xv)
	near(t, "product without mean", got, &want, 1e-12)
}

func TestRowFunctionsRefuseBadInput(t *testing.T) {
	ctx := context.Background()
	stopped, stop := context.WithCancel(ctx)
	stop()
	x := random(1, 10, 3)
	src, s := FromDense(x), make([]float64, 10)
	v := random(2, 3, 2)
	for name, err := range map[string]error{
		"mean":   Residuals(ctx, src, make([]float64, 2), v, s, nil),
		"basis":  Residuals(ctx, src, nil, random(2, 4, 2), s, nil),
		"room":   Residuals(ctx, src, nil, v, s[:3], nil),
		"scores": Residuals(ctx, src, nil, v, s, mat.NewDense(10, 3, nil)),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := Residuals(stopped, src, nil, v, s, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if err := Residuals(ctx, &fileLike{m: x, size: 3, failAt: 3}, nil, v, s, nil); !errors.Is(err, errBroken) {
		t.Errorf("broken: %v", err)
	}
	if _, err := ScatterTimes(ctx, src, make([]float64, 3), nil, v); err == nil {
		t.Error("weights: no error")
	}
	if _, err := ScatterTimes(ctx, src, nil, make([]float64, 4), v); err == nil {
		t.Error("mean: no error")
	}
	if _, err := ScatterTimes(ctx, src, nil, nil, random(1, 4, 4)); err == nil {
		t.Error("basis: no error")
	}
}
