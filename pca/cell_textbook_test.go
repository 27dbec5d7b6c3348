package pca

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// textbookCells is the same minimisation by plain loops, one cell at a time, from a state in units of
// the table.
func textbookCells(z *mat.Dense, at cellState, row, cell loss.Scaled, steps int) (cellState, float64) {
	n, d := z.Dims()
	m := at.rank()
	mu, a, s := append([]float64(nil), at.mu...), mat.DenseCopyOf(at.a), mat.DenseCopyOf(at.scores)
	deviation := func(i, j int) float64 {
		e := z.At(i, j) - mu[j]
		for l := range m {
			e -= a.At(j, l) * s.At(i, l)
		}
		return e * e
	}
	rowLoss := func(i int) float64 {
		sum, known := 0.0, 0.0
		for j := range d {
			if e := deviation(i, j); e == e {
				sum += cell.Rho(e)
				known++
			}
		}
		return sum / known
	}
	for range steps {
		v, w := mat.NewDense(n, d, nil), make([]float64, n)
		for i := range n {
			known := 0.0
			for j := range d {
				if e := deviation(i, j); e == e {
					v.Set(i, j, cell.Weight(e))
					known++
				}
			}
			w[i] = row.Weight(rowLoss(i)) / known
		}
		for i := range n {
			left, right := mat.NewDense(d, m, nil), mat.NewVecDense(d, nil)
			for j := range d {
				if root := math.Sqrt(v.At(i, j)); root > 0 {
					right.SetVec(j, root*(z.At(i, j)-mu[j]))
					for l := range m {
						left.Set(j, l, root*a.At(j, l))
					}
				}
			}
			var b mat.VecDense
			if b.SolveVec(left, right) == nil {
				s.SetRow(i, b.RawVector().Data)
			}
		}
		for j := range d {
			left, right := mat.NewDense(n, m+1, nil), mat.NewVecDense(n, nil)
			for i := range n {
				if root := math.Sqrt(v.At(i, j) * w[i]); root > 0 {
					right.SetVec(i, root*z.At(i, j))
					left.Set(i, 0, root)
					for l := range m {
						left.Set(i, l+1, root*s.At(i, l))
					}
				}
			}
			var b mat.VecDense
			if b.SolveVec(left, right) == nil {
				mu[j] = b.AtVec(0)
				for l := range m {
					a.Set(j, l, b.AtVec(l+1))
				}
			}
		}
	}
	sum := 0.0
	for i := range n {
		sum += row.Rho(rowLoss(i)) / float64(n)
	}
	return cellState{mu: mu, a: a, scores: s}, sum
}

// The products of matrices are the textbook's loops: step by step from one start, with missing cells.
func TestCellsTextbook(t *testing.T) {
	x := mat.DenseCopyOf(withBadCells(t, 60, 0.1, "scattered", 0.1, 3).x)
	g := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		x.Set(g.IntN(60), g.IntN(20), math.NaN())
	}
	ctx := context.Background()
	for _, texts := range [][2]string{{"welsch:sigma=0.4", "welsch"}, {"huber:c=0.3", "tukey"}, {"cauchy:c=1", "huber"}, {"l1", "l1"}} {
		o := Options{Components: 3}.filled()
		table, err := newCellTable(ctx, linalg.FromDense(x), o, false)
		if err != nil {
			t.Fatal(err)
		}
		table.loss = newCellLoss(loss.MustParse(texts[1]))
		at, err := table.begin(ctx, o, irls.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		const steps = 5
		var fixed loss.Scaled
		res, err := irls.Run(ctx, &cellProblem{table}, at, irls.Settings{Loss: loss.MustParse(texts[0]), MaxSteps: steps, Tol: 1e-300, OnStage: func(l loss.Scaled) { fixed = l }})
		if err != nil {
			t.Fatal(err)
		}
		want, objective := textbookCells(table.z, at, fixed, table.loss.at, len(res.Steps)-1)
		if a := largestAngle(want.orthonormal().a, res.State.a); !(a < 1e-5) {
			t.Errorf("%v: %.3g degrees from the textbook's subspace", texts, a)
		}
		if math.Abs(res.Objective()-objective) > 1e-9*objective {
			t.Errorf("%v: objective %.12g, the textbook's %.12g", texts, res.Objective(), objective)
		}
	}
}
