package classify

import (
	"bytes"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/kernel"
)

// Without a penalty named a machine is the one of C = 1 elsewhere, whatever the number of
// rows; what was taken is told and stored.
func TestUsualLambda(t *testing.T) {
	x, labels, _ := clouds(90, 3, 3, 1.5, 0, 5)
	weights := make([]float64, 90)
	sum := 0.0
	for i := range weights {
		weights[i] = float64(i % 3)
		sum += weights[i]
	}
	for _, c := range []struct {
		name    string
		kernel  kernel.Kind
		weights []float64
		want    float64
	}{
		{"square", kernel.Linear, nil, 1.0 / 180}, {"hinge", kernel.RBF, nil, 1.0 / 180}, {"logistic", kernel.Linear, nil, 1.0 / 180},
		{"logistic", kernel.RBF, nil, 0.25 / 180}, {"regmaxcem", kernel.Linear, weights, 1 / (2 * sum)}, {"regmaxcem:variant=paper", kernel.Linear, nil, PrintedLambda},
	} {
		o := Options{Kernel: kernel.Kernel{Kind: c.kernel}, Weights: c.weights, Calibration: NoCalibration}
		usual := mustFit(t, studyMachine(c.name, o), x, labels, 3)
		o.Lambda = c.want
		named := mustFit(t, studyMachine(c.name, o), x, labels, 3)
		if math.Abs(usual.parts.Lambda/c.want-1) > 1e-14 {
			t.Errorf("%s %s: lambda %v, want %v", c.name, c.kernel, usual.parts.Lambda, c.want)
		}
		if d := relativeChange(usual.parts.Coef, named.parts.Coef); d > 1e-9 {
			t.Errorf("%s %s: coefficients differ by %v from those with lambda named", c.name, c.kernel, d)
		}
		var file bytes.Buffer
		if _, err := usual.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		restored, err := Read(&file)
		if err != nil {
			t.Fatal(err)
		}
		if restored.parts.Lambda != usual.parts.Lambda || restored.Describe(archive.Names{}).Parameters["lambda"] != archive.FormatNumber(usual.parts.Lambda) {
			t.Errorf("%s %s: lambda is not kept", c.name, c.kernel)
		}
	}
}
