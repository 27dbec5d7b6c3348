package linear

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/linear"
	"gonum.org/v1/gonum/mat"
)

// manyRows is a table that R makes the same to the last bit: 12000 rows, of which a tenth
// has targets shifted upwards and another tenth are bad leverage points.
func manyRows() (*mat.Dense, []float64) {
	x, y := mat.NewDense(12000, 3, nil), make([]float64, 12000)
	for k := range y {
		i := float64(k + 1)
		f := func(k float64) float64 { v := i * math.Sqrt(k); return v - math.Floor(v) }
		a, b, c := 4*f(2), 10*(f(3)*f(3)), f(5)-0.5
		y[k] = 1 + 2*a - b + 3*c + f(7) + f(11) + f(13) - 1.5
		switch (k + 1) % 10 {
		case 0:
			y[k] += 20
		case 5:
			a += 20
			y[k] -= 10
		}
		x.SetRow(k, []float64{a, b, c})
	}
	return x, y
}

// Where rows are many the start is searched on samples and Newton's steps end it. R 4.2
// with robustbase 0.95-0 says:
//
//	i <- 1:12000; f <- function(k) { v <- i * sqrt(k); v - floor(v) }
//	x1 <- 4 * f(2); x2 <- 10 * f(3)^2; x3 <- f(5) - 0.5
//	y <- 1 + 2 * x1 - x2 + 3 * x3 + f(7) + f(11) + f(13) - 1.5
//	y[i %% 10 == 0] <- y[i %% 10 == 0] + 20
//	x1[i %% 10 == 5] <- x1[i %% 10 == 5] + 20; y[i %% 10 == 5] <- y[i %% 10 == 5] - 10
//	set.seed(1); m <- lmrob(y ~ x1 + x2 + x3, control = lmrob.control(refine.tol = 1e-12,
//	  rel.tol = 1e-12, k.max = 2000, max.it = 1000)); coef(summary(m)); m$init.S$coefficients
func TestManyRowsAgreeWithLmrob(t *testing.T) {
	x, y := manyRows()
	m := fitDefault(t, x, y)
	value := []float64{1.00490362363, 1.99864899396, -1.00062087056, 2.99643612386}
	errs := []float64{0.01193700862280, 0.00452112910473, 0.00176831675023, 0.01810841877676}
	start := []float64{1.00658713500, 1.99856444964, -1.00088038358, 3.00384198772}
	intercept, columns := m.Table()
	coef, constant, scale := m.Initial()
	first := append([]float64{constant}, coef...)
	for k, got := range append([]linear.Coefficient{intercept}, columns...) {
		if math.Abs(got.Value-value[k]) > 1e-3*errs[k] || math.Abs(got.Error/errs[k]-1) > 2e-3 {
			t.Errorf("coefficient %d is %.9g (%.5g), in R %.9g (%.5g)", k, got.Value, got.Error, value[k], errs[k])
		}
		if math.Abs(first[k]-start[k]) > 1e-3*errs[k] {
			t.Errorf("S-estimate %d is %.9g, in R %.9g", k, first[k], start[k])
		}
	}
	if math.Abs(scale/0.706329181168-1) > 1e-5 {
		t.Errorf("scale %.9g", scale)
	}
	if r2, _ := m.R2(); math.Abs(r2-0.981675257702) > 1e-4 {
		t.Errorf("R2 %.7g", r2)
	}
	if got := m.Training().Count(); got != 2400 {
		t.Errorf("%d rows are flagged", got)
	}
}

func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 3)) }
