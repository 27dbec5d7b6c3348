package classify

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/kernel"
)

// textbook is the correntropy machine written down afresh with dense normal equations and
// LU: after T reweightings at a fixed sigma, coefficients of [features, 1] per class.
// row: one weight per row, from the sum over classes.
func textbook(a, y *mat.Dense, lambda, sigma float64, row bool, reweightings int) *mat.Dense {
	n, p := a.Dims()
	_, k := y.Dims()
	w := mat.NewDense(n, k, nil)
	for i := range n {
		for l := range k {
			w.Set(i, l, 1)
		}
	}
	theta := mat.NewDense(p, k, nil)
	for step := 0; ; step++ {
		for l := range k {
			normal, right := mat.NewDense(p, p, nil), mat.NewVecDense(p, nil)
			for i := range n {
				for u := range p {
					for v := range p {
						normal.Set(u, v, normal.At(u, v)+w.At(i, l)*a.At(i, u)*a.At(i, v))
					}
					right.SetVec(u, right.AtVec(u)+w.At(i, l)*a.At(i, u)*y.At(i, l))
				}
			}
			for u := range p - 1 {
				normal.Set(u, u, normal.At(u, u)+lambda*float64(n))
			}
			var solution mat.VecDense
			if err := solution.SolveVec(normal, right); err != nil {
				panic(err)
			}
			for u := range p {
				theta.Set(u, l, solution.AtVec(u))
			}
		}
		if step == reweightings {
			return theta
		}
		var f mat.Dense
		f.Mul(a, theta)
		for i := range n {
			sum := 0.0
			for l := range k {
				e := y.At(i, l) - f.At(i, l)
				w.Set(i, l, math.Exp(-e*e/(2*sigma*sigma)))
				sum += e * e
			}
			if row {
				for l := range k {
					w.Set(i, l, math.Exp(-sum/(2*sigma*sigma)))
				}
			}
		}
	}
}

func TestCorrentropyEqualsTextbook(t *testing.T) {
	x, labels, _ := clouds(70, 3, 3, 1.5, 0.2, 1)
	for _, kind := range []kernel.Kind{kernel.Linear, kernel.RBF} {
		for _, penalty := range []Penalty{OnFunction, OnCoefficients} {
			for _, variant := range []Variant{PerRow, PerElement} {
				for _, steps := range []int{1, 7} {
					o, err := Options{Kernel: kernel.Kernel{Kind: kind}, Lambda: 0.05, Penalty: penalty, MaxSteps: steps, Tol: 1e-15, Calibration: NoCalibration}.filled()
					if err != nil {
						t.Fatal(err)
					}
					z := o.scaling(x).Apply(x)
					m := mustFit(t, studyMachine("regmaxcem:two=1;anneal=1;sigma=1.2;variant="+string(variant), o), x, labels, 3)
					d, err := newDesign(t.Context(), z, o)
					if err != nil {
						t.Fatal(err)
					}
					task := newTask(d.a, labels, 3, make([]float64, 70), o)
					if task.kernel = d.own; d.own {
						if task, _, err = task.spelled(); err != nil {
							t.Fatal(err)
						}
					}
					y := task.targets()
					var want mat.Dense
					want.Mul(task.a, textbook(task.a, y, 0.05, 1.2, variant == PerRow, steps))
					if got := apart(mustScore(t, m, x), &want); !(got <= 1e-9) {
						t.Errorf("%s, penalty on %s, weights per %s, %d steps: scores differ by %g", kind, penalty, variant, steps, got)
					}
				}
			}
		}
	}
}

// The printed centres of eq. (15), by the paper's own matrices.
func TestPrintedStep(t *testing.T) {
	x, labels, _ := clouds(40, 2, 2, 1, 0.1, 3)
	o, _ := Options{Lambda: 0.1}.filled()
	a := ones(40, 2)
	a.Slice(0, 40, 0, 2).(*mat.Dense).Copy(x)
	prior := make([]float64, 40)
	w := make([]float64, 80)
	for i := range prior {
		prior[i] = 1
		w[2*i], w[2*i+1] = 1/float64(i+1), 1-0.01*float64(i)
	}
	p := &problem{t: newTask(a, labels, 2, prior, o), s: &system{a: a, ridge: 0.1 * 40}, perElement: true, printed: true}
	theta, err := p.printedStep(context.Background(), w)
	if err != nil {
		t.Fatal(err)
	}
	for l := range 2 {
		u := mat.NewVecDense(40, nil)
		bar, y := mat.NewDense(2, 40, nil), mat.NewVecDense(40, nil)
		for i := range 40 {
			u.SetVec(i, math.Sqrt(w[2*i+l]/40)) // u^2 = weight / N
			y.SetVec(i, u.AtVec(i)*p.t.y(i, l))
			for j := range 2 {
				bar.Set(j, i, u.AtVec(i)*x.At(i, j))
			}
		}
		sum := mat.Sum(u)
		yc := mat.Sum(y) / sum
		xc := mat.NewVecDense(2, []float64{mat.Sum(bar.RowView(0)) / sum, mat.Sum(bar.RowView(1)) / sum})
		var cx, outer mat.Dense
		outer.Outer(1, xc, u)
		cx.Sub(bar, &outer)
		var cy mat.VecDense
		cy.AddScaledVec(y, -yc, u)
		var normal mat.Dense
		normal.Mul(&cx, cx.T())
		normal.Set(0, 0, normal.At(0, 0)+0.1)
		normal.Set(1, 1, normal.At(1, 1)+0.1)
		var right, coef mat.VecDense
		right.MulVec(&cx, &cy)
		if err := coef.SolveVec(&normal, &right); err != nil {
			t.Fatal(err)
		}
		b := yc - mat.Dot(&coef, xc)
		for j, want := range []float64{coef.AtVec(0), coef.AtVec(1), b} {
			if math.Abs(theta.At(j, l)-want) > 1e-10 {
				t.Errorf("class %d, coefficient %d is %v, want %v", l, j, theta.At(j, l), want)
			}
		}
	}
}

func TestSystemByQRGradientsAndRows(t *testing.T) {
	x, labels, _ := clouds(150, 20, 4, 1, 0.1, 5)
	a := ones(150, 20)
	a.Slice(0, 150, 0, 20).(*mat.Dense).Copy(x)
	prior := make([]float64, 150)
	elements := mat.NewDense(150, 4, nil)
	for i := range prior {
		prior[i] = float64(i%7) / 3
		for l := range 4 {
			elements.Set(i, l, prior[i]*float64((i+l)%3))
		}
	}
	o, _ := Options{}.filled()
	y := newTask(a, labels, 4, prior, o).targets()
	for _, ridge := range []float64{1e-6, 1, 1000} {
		ways := []string{"qr", "cg", "rows"}
		var systems []*system
		var from []*mat.Dense
		for _, way := range ways {
			systems, from = append(systems, &system{a: a, ridge: ridge, forced: way}), append(from, mat.NewDense(21, 4, nil))
		}
		for step, w := range []importance{{rows: prior}, {elements: elements}, {rows: prior}, {elements: elements}} {
			for at, s := range systems {
				var residual mat.Dense
				residual.Sub(y, s.scores(from[at]))
				theta, err := s.solve(context.Background(), from[at], &residual, w)
				if err != nil {
					t.Fatal(err)
				}
				from[at] = theta
			}
			for at, way := range ways[1:] {
				if d := apart(from[0], from[at+1]); !(d <= 1e-8*mat.Max(from[0])) {
					t.Errorf("ridge %g, solve %d: QR and %s differ by %g", ridge, step, way, d)
				}
			}
		}
	}
}
