package classify

import (
	"bytes"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

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
		{"square", kernel.Linear, nil, 1.0 / 90}, {"square", kernel.RBF, nil, 1.0 / 180}, {"hinge", kernel.RBF, nil, 1.0 / 180}, {"logistic", kernel.Linear, nil, 1.0 / 180},
		{"logistic", kernel.RBF, nil, 0.0625 / 180}, {"regmaxcem", kernel.Linear, weights, 1 / (2 * sum)}, {"regmaxcem:variant=paper", kernel.Linear, nil, PrintedLambda},
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

// Few rows with many columns and wrong labels: a larger penalty makes held-out labels more probable, is taken, and new rows are
// told better by it. A plain table, a penalty that is given and machines that are not robust keep to what they have; an
// integer weight is that many rows here too.
func TestChosenPenalty(t *testing.T) {
	x, labels, _ := clouds(160, 30, 2, 1.2, 0.2, 21)
	fresh, truth, _ := clouds(1000, 30, 2, 1.2, 0, 22)
	right := func(m *Model) (count int) {
		for i, l := range truth {
			if m.PredictRow(nil, fresh.RawRowView(i)) == l {
				count++
			}
		}
		return count
	}
	usual := 1.0 / 320
	chosen := mustFit(t, studyMachine("regmaxcem", Options{}), x, labels, 2)
	given := mustFit(t, studyMachine("regmaxcem", Options{Lambda: usual}), x, labels, 2)
	if times := chosen.parts.Lambda / usual; times < 5 || right(chosen) < right(given)+20 {
		t.Errorf("%v times the usual penalty: %d of 1000 rows right, with the usual one %d", times, right(chosen), right(given))
	}
	if given.parts.Lambda != usual {
		t.Errorf("penalty %v was given, %v taken", usual, given.parts.Lambda)
	}
	if other := mustFit(t, studyMachine("square", Options{}), x, labels, 2).parts.Lambda; other != 2*usual {
		t.Errorf("square took %v", other)
	}
	clean, known, _ := clouds(200, 3, 2, 2, 0, 23)
	if plain := mustFit(t, studyMachine("regmaxcem", Options{}), clean, known, 2).parts.Lambda; plain != 1.0/400 {
		t.Errorf("a plain table took %v times the usual penalty", plain*400)
	}
	var twice []int
	weights := make([]float64, 160)
	for i := range weights {
		weights[i] = float64(i % 2)
		if i%2 == 1 {
			twice = append(twice, i)
		}
	}
	half, halfLabels := mat.NewDense(80, 30, nil), make([]int, 80)
	for a, i := range twice {
		half.SetRow(a, x.RawRowView(i))
		halfLabels[a] = labels[i]
	}
	a, b := mustFit(t, studyMachine("regmaxcem", Options{Weights: weights}), x, labels, 2), mustFit(t, studyMachine("regmaxcem", Options{}), half, halfLabels, 2)
	if math.Abs(a.parts.Lambda/b.parts.Lambda-1) > 1e-12 {
		t.Errorf("rows of weight 0 change the penalty: %v, without them %v", a.parts.Lambda, b.parts.Lambda)
	}
}

// Wrong labels lose most of their vote to a linear robust machine at every size of a table, and right ones keep theirs: few rows
// with many wrong labels are not taken for clean ones that are hard to tell.
func TestWrongLabelsLoseTheirVoteAtEverySize(t *testing.T) {
	for _, n := range []int{40, 200} {
		for _, wrong := range []float64{0.1, 0.3} {
			var kept [2]float64 // of right and wrong labels
			var count [2]float64
			for seed := range uint64(2) {
				x, labels, truth := clouds(n, 4, 3, 2, wrong, 100+seed)
				for i, w := range mustFit(t, studyMachine("regmaxcem", Options{}), x, labels, 3).Weights() {
					at := 0
					if labels[i] != truth[i] {
						at = 1
					}
					kept[at] += w
					count[at]++
				}
			}
			if right, others := kept[0]/count[0], kept[1]/count[1]; !(right > 0.75 && others < 0.6*right) {
				t.Errorf("%d rows, %v of the labels wrong: these keep %.2f of their vote, right ones %.2f", n, wrong, others, right)
			}
		}
	}
}

// A kernel machine with the square loss has a wider kernel than the others.
func TestOpenGamma(t *testing.T) {
	gamma := func(name string) float64 {
		x, labels, _ := clouds(90, 5, 3, 1.2, 0, 5)
		return mustFit(t, studyMachine(name, Options{Kernel: kernel.Kernel{Kind: kernel.RBF}}), x, labels, 3).kernel.Gamma
	}
	usual := gamma("hinge")
	for name, want := range map[string]float64{"logistic": 1, "square": 0.5, "regmaxcem": 1} {
		if got := gamma(name) / usual; math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %v times the gamma of hinge, want %v", name, got, want)
		}
	}
}
