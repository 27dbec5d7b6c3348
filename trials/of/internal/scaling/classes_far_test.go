package scaling

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/internal/scaling"
	"gonum.org/v1/gonum/mat"
)

// table draws rows of three classes: value(class, column) for each cell.
func table(n, d int, value func(class, j int) float64) (*mat.Dense, []int) {
	x, labels := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		labels[i] = i % 3
		for j := range d {
			x.Set(i, j, value(labels[i], j))
		}
	}
	return x, labels
}

// countFar is the number of rows that are far from every class.
func countFar(c *scaling.Classes, x *mat.Dense) int {
	n := 0
	for _, far := range c.FarRows(x) {
		if far {
			n++
		}
	}
	return n
}

// Columns of the shapes that data have: hardly a row is far, neither of those that the places
// were learned from nor of others.
func TestShapesAreNotFar(t *testing.T) {
	g := rand.New(rand.NewPCG(1, 7))
	for name, value := range map[string]func(class, j int) float64{
		"normal":        func(class, j int) float64 { return g.NormFloat64() + 3*float64(class) },
		"unlike units":  func(class, j int) float64 { return (g.NormFloat64() + float64(class)) * math.Pow(10, float64(6*j-18)) },
		"lognormal 1":   func(class, j int) float64 { return math.Exp(g.NormFloat64() + float64(class)) },
		"lognormal 1.5": func(class, j int) float64 { return math.Exp(1.5 * g.NormFloat64()) },
		"lognormal 2":   func(class, j int) float64 { return math.Exp(2*g.NormFloat64() + float64(class)) },
		"student 3": func(class, j int) float64 {
			return g.NormFloat64() / math.Sqrt((g.ExpFloat64()+g.ExpFloat64()*0.5)/1.5)
		},
		"zeros and lognorm": func(class, j int) float64 { return math.Exp(g.NormFloat64()) * float64(g.IntN(10)/9) },
		"binary":            func(class, j int) float64 { return float64(g.IntN(50) / 49) },
		"counts":            func(class, j int) float64 { return math.Floor(g.ExpFloat64() * 2) },
		"pixels": func(class, j int) float64 {
			if g.IntN(100) > 0 || j == 0 {
				return 0
			}
			return float64(1 + g.IntN(255))
		},
		"two groups in each class": func(class, j int) float64 { return 0.01*g.NormFloat64() + float64(class) + 50*float64(g.IntN(10)/6) },
		"a class of its own unit": func(class, j int) float64 {
			return (1 + g.NormFloat64()) * math.Pow(1e6, float64(class/2))
		},
		"whole numbers beside constants": func(class, j int) float64 { return float64(j%2) * float64(g.IntN(3)) },
	} {
		*g = *rand.New(rand.NewPCG(1, 7))
		for _, n := range []int{30, 200, 3000} {
			if n == 30 && name == "two groups in each class" {
				continue // which of ten rows are a group, nobody knows
			}
			x, labels := table(n, 8, value)
			c := scaling.FitClasses(t.Context(), x, labels, 3, nil)
			if far := countFar(c, x); float64(far) > 0.015*float64(n)+2 {
				t.Errorf("%s: %d of %d rows are far", name, far, n)
			}
			fresh, _ := table(1000, 8, value)
			if far := countFar(c, fresh); far > 15 && n >= 200 {
				t.Errorf("%s: %d of 1000 new rows are far from where %d were", name, far, n)
			}
		}
	}
}

// A rare class that lies far out is where it is.
func TestFarClassIsSpared(t *testing.T) {
	g := rand.New(rand.NewPCG(2, 7))
	for _, few := range []int{1, 2, 3, 5, 20} {
		for _, width := range []float64{0, 1, 1e5} {
			x, labels := mat.NewDense(200, 4, nil), make([]int, 200)
			for i := range 200 {
				for j := range 4 {
					x.Set(i, j, g.NormFloat64()+float64(i%2))
				}
				if labels[i] = i % 2; i < few {
					labels[i] = 2
					x.Set(i, 1, 1e6+width*g.NormFloat64())
				}
			}
			x.Set(100, 1, -1e6)
			x.Set(101, 2, 1e300)
			c := scaling.FitClasses(t.Context(), x, labels, 3, nil)
			for i, far := range c.FarRows(x) {
				if width > 1 && few < 5 && i == 100 {
					continue // few rows so wide apart may well reach there
				}
				if far != (i == 100 || i == 101) {
					t.Errorf("%d rows of width %g: row %d: far %v", few, width, i, far)
				}
			}
		}
	}
}

// Absurd values are far whatever the columns are like, and integer weights count rows.
func TestAbsurdIsFar(t *testing.T) {
	g := rand.New(rand.NewPCG(3, 7))
	for _, d := range []int{1, 4} {
		for _, size := range []float64{-999, 1e6, -1e9, 1e300, -1e300} {
			for _, share := range []int{100, 20, 5} { // one in so many
				for name, value := range map[string]func(class, j int) float64{
					"normal":    func(class, j int) float64 { return g.NormFloat64() + 3*float64(class) },
					"lognormal": func(class, j int) float64 { return math.Exp(g.NormFloat64()) },
					"far apart": func(class, j int) float64 { return g.NormFloat64() + 500*float64(class) },
				} {
					x, labels := table(300, d, value)
					bad := map[int]bool{}
					for i := 0; i < 300; i++ {
						if g.IntN(share) == 0 {
							bad[i] = true
							x.Set(i, 0, size)
						}
					}
					weights := make([]float64, 300)
					var rows []float64
					var repeated []int
					for i := range weights {
						weights[i] = float64(1 + i%3/2)
						for range int(weights[i]) {
							rows, repeated = append(rows, x.RawRowView(i)...), append(repeated, labels[i])
						}
					}
					c := scaling.FitClasses(t.Context(), x, labels, 3, weights)
					for i, far := range c.FarRows(x) {
						if far != bad[i] && (bad[i] || name != "lognormal") {
							t.Fatalf("%s, %g in one of %d, %d columns: row %d: far %v", name, size, share, d, i, far)
						}
					}
					again := scaling.FitClasses(t.Context(), mat.NewDense(len(repeated), d, rows), repeated, 3, nil)
					if !mat.EqualApprox(c.Center, again.Center, 1e-12) || !equalTo(c.Reach, again.Reach, 1e-9) {
						t.Fatalf("%s: weights are not repeated rows: %v, %v", name, mat.Formatted(c.Reach), mat.Formatted(again.Reach))
					}
				}
			}
		}
	}
}

// equalTo compares two matrices of numbers of unlike size.
func equalTo(a, b *mat.Dense, within float64) bool {
	for i, v := range a.RawMatrix().Data {
		if w := b.RawMatrix().Data[i]; math.Abs(v-w) > within*math.Abs(w) {
			return false
		}
	}
	return true
}

// What is learned from a sample of many rows knows rare classes and judges all rows.
func TestManyRowsOfClasses(t *testing.T) {
	g := rand.New(rand.NewPCG(4, 7))
	x, labels := table(30000, 3, func(class, j int) float64 { return math.Exp(g.NormFloat64()) })
	for i := range 5 {
		labels[7000*i] = 3
		x.Set(7000*i, 0, 1e7+g.NormFloat64())
	}
	bad := 0
	for i := 10; i < 30000; i += 10 {
		if i%7000 != 0 {
			x.Set(i, 2, -999)
			bad++
		}
	}
	if far := countFar(scaling.FitClasses(t.Context(), x, labels, 4, nil), x); far < bad || far > bad+60 {
		t.Errorf("%d rows are far; %d hold a sentinel", far, bad)
	}
}

func ExampleClasses_Far() {
	x := mat.NewDense(6, 1, []float64{1, 2, 3, 1000, 1001, 1002})
	c := scaling.FitClasses(context.Background(), x, []int{0, 0, 0, 1, 1, 1}, 2, nil)
	fmt.Println(c.Far([]float64{2.5}), c.Far([]float64{1003}), c.Far([]float64{500}))
	// Output: false false true
}
