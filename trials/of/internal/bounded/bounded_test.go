package bounded

import (
	"context"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/internal/bounded"
	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/linalg"
	"gonum.org/v1/gonum/mat"
)

// streamed hides the matrix behind a source.
type streamed struct{ linalg.Source }

// table is n rows of four columns of unlike units, the last one mostly constant.
func table(n int) *mat.Dense {
	r := random.New(1, "bounded")
	x := mat.NewDense(n, 4, nil)
	x.Apply(func(i, j int, _ float64) float64 {
		switch j {
		case 0:
			return 1e6 + r.NormFloat64()
		case 1:
			return 1e-6 * r.NormFloat64()
		case 2:
			return 1e9 * r.NormFloat64()
		}
		return float64(min(i%7, 1) - 1)
	}, x)
	return x
}

func TestSourceIsUntouchedWithoutFarValues(t *testing.T) {
	x := table(500)
	x.Set(3, 0, math.NaN())
	x.Set(4, 0, math.Inf(1))
	x.Set(5, 0, 2e6) // a million spreads
	for _, src := range []linalg.Source{linalg.FromDense(x), streamed{linalg.FromDense(x)}} {
		got, err := bounded.Source(context.Background(), src, nil)
		if err != nil || got != src {
			t.Errorf("%T: %v, %v", src, got, err)
		}
	}
}

func TestFarValuesAreClippedAndNothingElse(t *testing.T) {
	for _, n := range []int{300, 5000} {
		for _, far := range []float64{1e18, 1e100, 1e300, -1e18, -math.MaxFloat64} {
			x := table(n)
			for i := 0; i < n; i += 20 { // 5 % of the mostly constant column
				x.Set(i, 3, far)
			}
			x.Set(n/2+1, 0, far)
			x.Set(n/2+2, 1, far)
			before := mat.DenseCopyOf(x)
			for _, src := range []linalg.Source{linalg.FromDense(x), streamed{linalg.FromDense(x)}} {
				got, err := bounded.Source(context.Background(), src, nil)
				if err != nil {
					t.Fatal(err)
				}
				err = got.Scan(context.Background(), func(first int, block *mat.Dense) error {
					rows, d := block.Dims()
					for i := range rows {
						for j := range d {
							v, was := block.At(i, j), before.At(first+i, j)
							if was != far && v != was {
								t.Fatalf("row %d, column %d: %v became %v", first+i, j, was, v)
							}
							if was == far && (math.Signbit(v) != math.Signbit(far) || math.Abs(v) > 1e16 || math.Abs(v) < 10) {
								t.Fatalf("row %d, column %d: %v became %v", first+i, j, was, v)
							}
						}
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			if !mat.Equal(before, x) {
				t.Fatal("the table was changed")
			}
		}
	}
}

func TestWeightsActAsRepeatedRows(t *testing.T) {
	x := table(1500)
	w := make([]float64, 1500)
	rows := 0
	for i := range w {
		w[i] = float64(i % 4)
		rows += i % 4
	}
	repeated, k := mat.NewDense(rows, 4, nil), 0
	for i := range w {
		for range i % 4 {
			repeated.SetRow(k, x.RawRowView(i))
			k++
		}
	}
	a, err := bounded.Of(context.Background(), linalg.FromDense(x), w)
	if err != nil {
		t.Fatal(err)
	}
	b, err := bounded.Of(context.Background(), linalg.FromDense(repeated), nil)
	if err != nil {
		t.Fatal(err)
	}
	for j := range a.Low {
		if a.Low[j] != b.Low[j] || a.High[j] != b.High[j] {
			t.Errorf("column %d: limits %v %v, of repeated rows %v %v", j, a.Low[j], a.High[j], b.Low[j], b.High[j])
		}
	}
}

func TestConstantTable(t *testing.T) {
	x := mat.NewDense(50, 2, nil)
	src := linalg.FromDense(x)
	if got, err := bounded.Source(context.Background(), src, nil); err != nil || got != linalg.Source(src) {
		t.Errorf("constant table: %v, %v", got, err)
	}
}

// Counts with many zeros, in units unlike those of the other columns, are no dirt; the
// slipped exponents among them are.
func TestMostlyConstantColumns(t *testing.T) {
	for _, constant := range []float64{0, 0.3} {
		r := random.New(3, "mostly constant")
		const n = 200
		x := mat.NewDense(n, 3, nil)
		for i := range n {
			x.Set(i, 0, 1e-9*r.NormFloat64())
			x.Set(i, 1, 1e-9*r.NormFloat64())
			x.Set(i, 2, constant*(1+float64(i%3)*0x1p-52)) // constant but for rounding
			if i%5 < 2 {
				x.Set(i, 2, 1e5*r.Float64())
			}
		}
		src := linalg.FromDense(x)
		view, err := bounded.Source(context.Background(), src, nil)
		if err != nil {
			t.Fatal(err)
		}
		if view != linalg.Source(src) {
			t.Errorf("constant %g: counts were clipped", constant)
		}
		x.Set(0, 2, 1e40)
		if view, err = bounded.Source(context.Background(), src, nil); err != nil {
			t.Fatal(err)
		}
		if got := view.(linalg.InMemory).Dense().At(0, 2); !(got < 1e15) {
			t.Errorf("constant %g: 1e40 became %g", constant, got)
		}
	}
}
