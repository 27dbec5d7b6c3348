package check

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/linalg"
	"gonum.org/v1/gonum/mat"
)

// related makes rows of columns that share a cause, in unlike units.
func related(n, d int, seed uint64) *mat.Dense {
	r := random.New(seed, "related")
	x := mat.NewDense(n, d, nil)
	for i := range n {
		cause := r.NormFloat64()
		for j := range d {
			x.Set(i, j, 100*float64(j+1)+math.Pow(10, float64(j%4))*(cause+0.2*r.NormFloat64()))
		}
	}
	return x
}

func judged(t *testing.T, x mat.Matrix) (*tolerant.Table, *check.Result) {
	t.Helper()
	table := tolerant.FromValues(nil, x)
	r, err := check.Run(context.Background(), table, check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return table, r
}

// A cell that is usual by itself and impossible in its row is found, named, and its value before
// the mistake lies in the range that is given.
func TestJointlyImpossibleCellIsNamedWithItsValue(t *testing.T) {
	x := related(400, 5, 1)
	was := map[int]float64{}
	for k := range 8 {
		i := 50*k + 7
		was[i] = x.At(i, 2)
		middle, unit := 300.0, 100.0
		if z := (was[i] - middle) / unit; z > 0 {
			x.Set(i, 2, middle-2*unit)
		} else {
			x.Set(i, 2, middle+2*unit)
		}
	}
	_, r := judged(t, x)
	found, within := 0, 0
	for _, c := range r.Cells {
		v, planted := was[c.Row]
		if !c.Wrong || !planted || c.Column != 2 {
			continue
		}
		found++
		if c.Low <= v && v <= c.High {
			within++
		}
		if !(c.Low < c.Expected && c.Expected < c.High) || c.Why == "" {
			t.Errorf("row %d: expected %g in [%g, %g], %q", c.Row, c.Expected, c.Low, c.High, c.Why)
		}
	}
	if found < 7 || within < found-1 {
		t.Errorf("%d of 8 found, the true value within the range in %d", found, within)
	}
	for i, wrong := range r.Wrong {
		if _, planted := was[i]; wrong && !planted {
			t.Errorf("row %d is called wrong: %s", i, r.Why(i))
		}
	}
}

// Rows that are far out in all columns together are extreme, not wrong.
func TestFarButConsistentRowsAreExtreme(t *testing.T) {
	x := related(420, 4, 2)
	for k, i := range []int{3, 120, 400} {
		for j := range 4 {
			x.Set(i, j, 100*float64(j+1)+math.Pow(10, float64(j%4))*float64(8+3*k))
		}
	}
	_, r := judged(t, x)
	for _, i := range []int{3, 120, 400} {
		if r.Wrong[i] || r.Part[i] != check.PartExtreme || r.Why(i) == "" {
			t.Errorf("row %d: wrong %v, part %q, why %q", i, r.Wrong[i], r.Part[i], r.Why(i))
		}
	}
}

// One absurd value costs its row and nothing else, whatever its size and sign.
func TestFarValuesCostTheirRowOnly(t *testing.T) {
	for _, far := range []float64{1e6, -1e15, 1e300, -1e300, math.Inf(1)} {
		x := related(150, 4, 3)
		plain := x.At(17, 1)
		x.Set(17, 1, far)
		_, r := judged(t, x)
		if !r.Wrong[17] || len(r.Cells) == 0 || r.Cells[0].Column != 1 {
			t.Errorf("%g: wrong %v, cells %v", far, r.Wrong[17], r.Cells)
			continue
		}
		if c := r.Cells[0]; math.Abs(c.Expected-plain) > 20 {
			t.Errorf("%g: expected %g, was %g", far, c.Expected, plain)
		}
		for i, wrong := range r.Wrong {
			if wrong && i != 17 {
				t.Errorf("%g: row %d is called wrong", far, i)
			}
			if math.IsNaN(r.Score[i]) || math.IsNaN(r.P[i]) {
				t.Fatalf("%g: row %d has score %g and p %g", far, i, r.Score[i], r.P[i])
			}
		}
	}
}

// Tables that are hardly tables are judged without complaint, and nothing is called wrong.
func TestSmallAndOddTables(t *testing.T) {
	for n := range 21 {
		for _, d := range []int{1, 3} {
			if n == 0 {
				judged(t, &mat.Dense{})
				continue
			}
			_, r := judged(t, related(n, d, uint64(n)))
			if len(r.Score) != n || len(r.P) != n {
				t.Fatalf("%d x %d: %d scores", n, d, len(r.Score))
			}
		}
	}
	odd := mat.NewDense(60, 5, nil) // constant, all missing, one odd value, two values, half missing
	for i := range 60 {
		odd.SetRow(i, []float64{7, math.NaN(), 0, float64(i % 2), float64(i)})
		if i%2 == 0 {
			odd.Set(i, 4, math.NaN())
		}
	}
	odd.Set(5, 2, 1e300)
	judged(t, odd)
	wide := mat.NewDense(40, 60, nil)
	r := random.New(1, "wide")
	for i := range 40 {
		for j := range 60 {
			wide.Set(i, j, r.NormFloat64())
		}
	}
	if _, found := judged(t, wide); countTrue(found.Wrong) > 1 {
		t.Errorf("%d of 40 rows of noise in 60 columns are called wrong", countTrue(found.Wrong))
	}
}

func countTrue(b []bool) (n int) {
	for _, v := range b {
		if v {
			n++
		}
	}
	return n
}

// Clean tables of every shape stay silent.
func TestCleanTablesStaySilent(t *testing.T) {
	total := 0
	for _, shape := range []string{"normal", "uniform", "t3", "lognormal", "exponential", "poisson", "groups", "binary", "zero-inflated"} {
		c := synthetic.Clean{N: 200, D: 5, Shape: shape, Factors: 2}
		g, err := c.Generate(7)
		if err != nil {
			t.Fatal(err)
		}
		_, r := judged(t, g.Set.X)
		wrong := countTrue(r.Wrong)
		total += wrong
		if wrong > 4 {
			t.Errorf("%s: %d of 200 rows called wrong", shape, wrong)
		}
	}
	if total > 18 {
		t.Errorf("%d of 1800 rows called wrong", total)
	}
}

// The verdict does not depend on the number of workers.
func TestWorkersDoNotMatter(t *testing.T) {
	x := related(300, 4, 5)
	x.Set(100, 3, 1e4)
	defer linalg.SetThreads(linalg.Threads())
	linalg.SetThreads(1)
	_, one := judged(t, x)
	linalg.SetThreads(3)
	_, three := judged(t, x)
	for i := range one.Score {
		if one.Score[i] != three.Score[i] || one.P[i] != three.P[i] {
			t.Fatalf("row %d: score %g and %g", i, one.Score[i], three.Score[i])
		}
	}
}

// counting ends at its k-th look.
type counting struct {
	context.Context
	left int
}

func (c *counting) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// A context may end at any look: then there is no result, and no panic.
func TestCancelledAtEveryLook(t *testing.T) {
	defer linalg.SetThreads(linalg.Threads())
	linalg.SetThreads(1)
	table := tolerant.FromValues(nil, related(60, 3, 6))
	for k := 0; ; k++ {
		r, err := check.Run(&counting{context.Background(), k}, table, check.Settings{}, nil)
		if err == nil {
			if k < 5 || r == nil {
				t.Errorf("finished after %d looks", k)
			}
			return
		}
		if !errors.Is(err, context.Canceled) || r != nil {
			t.Fatalf("look %d: %v", k, err)
		}
	}
}
