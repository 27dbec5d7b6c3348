package made

import (
	"context"
	"fmt"
	. "github.com/inlier-ml/inlier/classify"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/kernel"
)

// wildCells is a table of 600 x 6 in three classes with one cell of the given size in a share of the rows.
func wildCells(share, size float64) (x *mat.Dense, labels []int) {
	x, labels, _ = clouds(600, 6, 3, 1.6, 0, 31)
	r := rand.New(rand.NewPCG(3, 1))
	for i := range int(math.Round(share * 600)) {
		x.Set(i*600/max(int(share*600), 1), r.IntN(6), size)
	}
	return x, labels
}

// Cells far off cost every machine their rows and nothing else; without clipping machines say which
// columns hold them and what to do. Scores of clean rows judge.
func TestWildCells(t *testing.T) {
	clean, labels := wildCells(0, 0)
	accuracy := func(m *Model) float64 {
		right := 0.0
		for i, l := range mustPredict(t, m, clean) {
			if l == labels[i] {
				right++
			}
		}
		return right / 600
	}
	for _, kind := range []kernel.Kind{kernel.Linear, kernel.RBF} {
		o := Options{Kernel: kernel.Kernel{Kind: kind}, Calibration: NoCalibration, Approximation: Nystrom, Features: 60}
		want := accuracy(mustFit(t, studyMachine("regmaxcem", o), clean, labels, 3))
		for _, wild := range []struct{ share, size float64 }{{0.05, 1e3}, {0.01, 1e6}, {0.0017, 1e9}} {
			x, _ := wildCells(wild.share, wild.size)
			what := fmt.Sprintf("%s, %v of the rows with %g", kind, wild.share, wild.size)
			if wild.share < 0.01 {
				o.Approximation = Exact
			}
			for _, name := range []string{"square", "hinge", "logistic", "regmaxcem"} {
				if got := accuracy(mustFit(t, studyMachine(name, o), x, labels, 3)); got < want-0.02 {
					t.Errorf("%s %s: accuracy %.3f, regmaxcem of clean rows %.3f", name, what, got, want)
				}
				m := mustFit(t, studyMachine(name+":clip=+Inf", o), x, labels, 3)
				if !strings.Contains(strings.Join(m.Warnings(), "\n"), "clip=auto") {
					t.Errorf("%s %s: accuracy %.3f and not a word: %q", name, what, accuracy(m), m.Warnings())
				}
			}
		}
	}
	x, _ := wildCells(0.0017, 1e9) // the exact kernel of one such row: 0 with all others, which keep their digits
	for _, scale := range []Scaling{ScaleRobust, ScaleNone} {
		for _, name := range []string{"square:clip=+Inf", "hinge:clip=+Inf", "logistic:clip=+Inf", "regmaxcem:clip=+Inf"} {
			m := mustFit(t, studyMachine(name, Options{Kernel: kernel.Kernel{Kind: kernel.RBF}, Scaling: scale, Calibration: NoCalibration}), x, labels, 3)
			if got := accuracy(m); got < 0.96 {
				t.Errorf("%s, scaling %s, exact kernel with a cell of 1e9: accuracy %.3f", name, scale, got)
			}
		}
	}
	for _, name := range []string{"square", "hinge", "logistic"} {
		m := mustFit(t, studyMachine(name, Options{Calibration: NoCalibration}), clean, labels, 3)
		if len(m.Warnings()) != 0 {
			t.Errorf("%s of clean rows: %q", name, m.Warnings())
		}
	}
}

func mustPredict(t *testing.T, m *Model, x *mat.Dense) []int {
	t.Helper()
	p, err := m.Predict(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	return p.Labels
}
