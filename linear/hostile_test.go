package linear

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"

	"github.com/inlier-ml/inlier/irls"
)

// cleanPlane is a clean regression of n rows on d normal columns with noise of one tenth.
func cleanPlane(n, d int, seed uint64) (*mat.Dense, []float64) {
	draw := seeded(seed)
	x, y := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range n {
		y[i] = 1
		for j := range d {
			x.Set(i, j, draw.NormFloat64())
			y[i] += float64(j+1) * x.At(i, j)
		}
		y[i] += 0.1 * draw.NormFloat64()
	}
	return x, y
}

// A value that no scale of the bulk can reach costs its row and nothing else.
func TestFarValues(t *testing.T) {
	const n, d, wild = 150, 4, 20
	ctx := context.Background()
	for _, o := range []Robust{{}, {Start: StartLTS}, {NoIntercept: true}} {
		o.Loss, o.Samples = DefaultLoss, 100
		for _, kind := range []string{"rows", "cells", "targets", "both"} {
			for _, size := range []float64{1e2, 1e8, 1e13, 1e50, 1e160, 1e300} {
				for _, sign := range []float64{1, -1} {
					if (o.Start != "" || o.NoIntercept) && size != 1e300 {
						continue
					}
					x, y := cleanPlane(n, d, 5)
					for i := range wild {
						row := i * 7
						switch kind {
						case "rows":
							for j := range d {
								x.Set(row, j, sign*size*(1+float64(j)/8))
							}
						case "cells":
							x.Set(row, i%d, sign*size)
						case "targets":
							y[row] = sign * size
						case "both":
							x.Set(row, 0, sign*size)
							y[row] = -sign * size
						}
					}
					name := fmt.Sprintf("%s %v %s %g", o.Start, !o.NoIntercept, kind, sign*size)
					m, err := o.Fit(ctx, linalg.FromDense(x), y)
					if err != nil {
						t.Errorf("%s: %v", name, err)
						continue
					}
					want := []float64{1, 1, 2, 3, 4}
					tolerance := 0.1
					if o.NoIntercept {
						want[0], tolerance = 0, 0.6
					}
					if off := distance(estimates(m), want); !(off < tolerance) {
						t.Errorf("%s: off by %g: %v", name, off, estimates(m))
						continue
					}
					j, err := m.Judge(ctx, x, y)
					if err != nil {
						t.Fatal(err)
					}
					for i := range wild {
						if r := j.Residual[i*7]; !j.Outlier[i*7] || j.Weight[i*7] != 0 || math.IsNaN(r) || math.IsNaN(j.ScoreDistance[i*7]) {
							t.Errorf("%s: row %d: residual %g, leverage %g, weight %g, %v", name, i*7, r, j.ScoreDistance[i*7], j.Weight[i*7], j.Kind[i*7])
							break
						}
					}
				}
			}
		}
	}
}

// A sentinel in a twentieth of a column, columns of unlike units, targets in tiny ones.
func TestSentinelsAndUnits(t *testing.T) {
	const n, d = 200, 4
	clean, y := cleanPlane(n, d, 5)
	for _, sentinel := range []float64{-999, -1e9, 1e9, 1e300} {
		x := mat.DenseCopyOf(clean)
		for i := range n / 20 {
			x.Set(i*20, 1, sentinel)
		}
		m, err := (Robust{Loss: DefaultLoss}).Fit(context.Background(), linalg.FromDense(x), y)
		if err != nil {
			t.Fatal(err)
		}
		if off := distance(estimates(m), []float64{1, 1, 2, 3, 4}); off > 0.1 {
			t.Errorf("sentinel %g: off by %g", sentinel, off)
		}
	}
	x, small := mat.DenseCopyOf(clean), make([]float64, n)
	units := []float64{1e-9, 1, 1e9, 1e5}
	for i := range n {
		small[i] = 1e-9 * y[i]
		for j, u := range units {
			x.Set(i, j, u*clean.At(i, j))
		}
	}
	m, err := (Robust{Loss: DefaultLoss}).Fit(context.Background(), linalg.FromDense(x), small)
	if err != nil {
		t.Fatal(err)
	}
	b := []float64{m.Intercept() * 1e9}
	for j, c := range m.Coef() {
		b = append(b, c*units[j]*1e9)
	}
	if off := distance(b, []float64{1, 1, 2, 3, 4}); off > 0.1 {
		t.Errorf("units: off by %g", off)
	}
}

// A rare value decides about its own row, however large it is.
func TestRareValues(t *testing.T) {
	for _, size := range []float64{1, 1e9, 1e300} {
		x, y := cleanPlane(100, 3, 4)
		for i := range 100 {
			x.Set(i, 2, 0)
			y[i] -= 3 * x.At(i, 2)
		}
		x.Set(17, 2, size)
		m := fitDefault(t, x, y)
		if off := distance(m.Coef()[:2], []float64{1, 2}); off > 0.2 || m.Scale() > 5 {
			t.Errorf("%g: off by %g, scale %g", size, off, m.Scale())
		}
	}
}

// looks is a context that ends at its k-th look.
type looks struct {
	context.Context
	left *atomic.Int64
}

func (l looks) Err() error {
	if l.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

func endingAt(k int) context.Context {
	l := looks{context.Background(), new(atomic.Int64)}
	l.left.Store(int64(k))
	return l
}

// Until there is a start a cancelled fit fails, from then on it returns a whole model.
func TestCancelAtEveryLook(t *testing.T) {
	x, y := cleanPlane(60, 3, 2)
	y[0] = 100
	exact := make([]float64, 60)
	for i := range exact {
		exact[i] = x.At(i, 0)
	}
	for _, start := range []Start{StartS, StartLTS, StartClassic} {
		for _, y := range [][]float64{y, exact} {
			seen := map[string]int{}
			before := "error"
			for k := 0; before != "finished"; k++ {
				m, err := (Robust{Loss: DefaultLoss, Start: start, Samples: 20}).Fit(endingAt(k), linalg.FromDense(x), y)
				now := "finished"
				switch {
				case err != nil:
					if now = "error"; !errors.Is(err, context.Canceled) {
						t.Fatal(err)
					}
				case m.Status() == irls.Cancelled:
					now = "cancelled"
					if _, err := fromParts(m.parts()); err != nil || len(m.Training().Weight) != 60 {
						t.Fatalf("%s: look %d: no whole model: %v", start, k, err)
					}
				}
				if now == "error" && before != now {
					t.Errorf("%s: look %d: an error after a model", start, k)
				}
				seen[now]++
				before = now
			}
			if seen["error"] == 0 || seen["cancelled"] == 0 && &y[0] != &exact[0] {
				t.Errorf("%s: %v", start, seen)
			}
		}
	}
}

// The unit of the target changes nothing, however absurd: coefficients, scale and loss
// follow it, verdicts and weights stay, also of a model that was kept.
func TestAbsurdUnits(t *testing.T) {
	x, y := cleanPlane(60, 2, 5)
	for i := 3; i < 60; i += 10 {
		y[i] += 30
	}
	for _, text := range []string{"tukey", "l1", "huber:c=0.2"} {
		var want *Model
		for _, exponent := range []int{0, 400, 500, 530, 1000, -400, -500, -530, -1000} {
			unit := math.Ldexp(1, exponent)
			scaled := make([]float64, len(y))
			for i, v := range y {
				scaled[i] = v * unit
			}
			spec := loss.MustParse(text)
			if rule := spec.Rule(); rule.Kind == loss.Fixed {
				if exponent > 450 || exponent < -450 {
					continue // no such bandwidth can be named
				}
				spec = spec.WithRule(loss.FixedAt(rule.Value * unit))
			}
			m, err := Robust{Loss: spec, Samples: 50}.Fit(context.Background(), linalg.FromDense(x), scaled)
			if err != nil {
				t.Fatalf("%s in units of 2^%d: %v", text, -exponent, err)
			}
			if want == nil {
				want = m
			}
			for j, b := range estimates(m) {
				if math.Abs(b/unit-estimates(want)[j]) > 1e-6 || math.Abs(m.Scale()/unit-want.Scale()) > 1e-6 {
					t.Errorf("%s in units of 2^%d: %v, scale %g", text, -exponent, estimates(m), m.Scale())
					break
				}
			}
			back, err := fromParts(m.parts())
			if err != nil {
				t.Fatal(err)
			}
			judged, err := back.Judge(context.Background(), x, scaled)
			if err != nil {
				t.Fatal(err)
			}
			for i, w := range want.Weights() {
				row := m.JudgeRow(x.RawRowView(i), scaled[i])
				if math.Abs(judged.Weight[i]-w) > 1e-5 || math.Abs(row.Weight-w) > 1e-5 || judged.Outlier[i] != want.Training().Outlier[i] {
					t.Errorf("%s in units of 2^%d: row %d has weight %g judged, %g alone, %g in the fit", text, -exponent, i+1, judged.Weight[i], row.Weight, w)
					break
				}
			}
		}
	}
}
