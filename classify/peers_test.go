package classify

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/fixture"
	"github.com/inlier-ml/inlier/kernel"
)

// peers is what bench/reference_classify.py wrote: scikit-learn's RidgeClassifier,
// LogisticRegression and SVC at equal objectives.
type peers struct {
	Lambda, Gamma float64
	X             [][]float64
	Labels        []int
	Weights       []float64
	Decisions     map[string][][]float64
}

func readPeers(t testing.TB) (peers, *mat.Dense) {
	t.Helper()
	text, err := os.ReadFile(fixture.Path(t, "sklearn_classify.json"))
	if err != nil {
		t.Fatal(err)
	}
	var p peers
	if err := json.Unmarshal(text, &p); err != nil {
		t.Fatal(err)
	}
	return p, dense(p.X)
}

func dense(rows [][]float64) *mat.Dense {
	m := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, r := range rows {
		m.SetRow(i, r)
	}
	return m
}

func TestDecisionsEqualScikitLearn(t *testing.T) {
	p, x := readPeers(t)
	for name, rows := range p.Decisions {
		words := strings.Fields(name)
		machine := words[0] + ":multiclass=one-vs-all;power=1"
		if words[0] == "multinomial" {
			machine = "logistic:multiclass=joint"
		}
		o := Options{Lambda: p.Lambda, Tol: 1e-12, Calibration: NoCalibration, MaxSteps: 100000}
		if words[1] == "rbf" {
			o.Kernel = kernel.Kernel{Kind: kernel.RBF, Gamma: p.Gamma}
		}
		if len(words) > 2 && words[2] == "balanced" {
			o.ClassWeights = Balanced
		} else if len(words) > 2 {
			o.Weights = p.Weights
		}
		tol := 1e-8
		if words[0] == "hinge" { // both stop at a small but finite gradient
			tol = 1e-6
		}
		m, err := fit(context.Background(), studyMachine(machine, o), x, p.Labels, 3)
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Scores(context.Background(), x)
		if err != nil {
			t.Fatal(err)
		}
		want := dense(rows)
		worst := 0.0
		for i := range p.Labels {
			for l := range 3 {
				worst = max(worst, math.Abs(got.At(i, l)-want.At(i, l)))
			}
		}
		if !(worst <= tol) {
			t.Errorf("%s: scores differ by up to %g (%v)", name, worst, m.parts.Status)
		}
	}
}
