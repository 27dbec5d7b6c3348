package tune

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/linalg"
)

func hold(t *testing.T, c Contest, set *dataset.Set) *Standing {
	t.Helper()
	s, err := c.Run(context.Background(), set)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestContest(t *testing.T) {
	fake := &ridgeline{}
	m := fake.method()
	set := lineData(80, 1)
	c := Contest{Task: catalog.Regress, Repeats: 5, Seed: 3, Entrants: []Entrant{
		{Label: "flipped", Method: m, Params: map[string]string{"mode": "flip"}},
		{Label: "plain", Method: m},
		{Label: "stiff", Method: m, Params: map[string]string{"lambda": "3000"}},
	}}
	defer linalg.SetThreads(linalg.Threads())
	linalg.SetThreads(1)
	a := hold(t, c, set)
	linalg.SetThreads(4)
	b := hold(t, c, set)
	for i := range a.Lines {
		if a.Lines[i].Label != b.Lines[i].Label || !slices.Equal(a.Lines[i].Scores["rmse"], b.Lines[i].Scores["rmse"]) {
			t.Error("the number of workers matters")
		}
	}
	if a.Train != 60 || a.Test != 20 || a.Lines[0].Label != "plain" || a.Lines[2].Label != "flipped" || a.Lines[2].MeanRank != 3 {
		t.Errorf("%d training, %d test rows, order %s, %s, %s", a.Train, a.Test, a.Lines[0].Label, a.Lines[1].Label, a.Lines[2].Label)
	}
	// By hand for the second repeat.
	p := a.Parts[1]
	v, _ := m.Check(nil)
	made, _ := fitLine(set.Subset(p.Train), v).Predict(context.Background(), set.Subset(p.Test).X)
	metric, _ := MetricFor("mae", catalog.Regress)
	want, err := metric.value(set.Subset(p.Test).Target, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19}, made.Values)
	if err != nil || a.Lines[0].Scores["mae"][1] != want {
		t.Errorf("%v, by hand %v", a.Lines[0].Scores["mae"][1], want)
	}
	if a.Lines[0].Versus != nil || a.Lines[2].Versus == nil || a.Lines[2].Versus.Holm < a.Lines[2].Versus.P {
		t.Error("tests against the best")
	}
}

func TestResampledTest(t *testing.T) {
	a := []float64{0.81, 0.84, 0.79, 0.88, 0.83, 0.80, 0.86, 0.82, 0.85, 0.81}
	b := []float64{0.84, 0.85, 0.84, 0.89, 0.85, 0.86, 0.86, 0.85, 0.88, 0.82}
	// R: d <- a - b; n <- 10; r <- 1/3; se <- sqrt(var(d) * (1/n + r)); t <- mean(d)/se;
	// c(t, 2*pt(-abs(t), n-1), mean(d) + c(-1, 1)*qt(.975, n-1)*se)
	got, err := resampled(a, b, 1.0/3)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ got, want float64 }{{got.T, -1.99852016257947351}, {got.P, 0.07673567799775223}, {got.Low, -0.05329790268263360}, {got.High, 0.00329790268263365}} {
		if math.Abs(c.got-c.want) > 1e-9 {
			t.Errorf("%v, R gives %v", c.got, c.want)
		}
	}
	if _, err := resampled([]float64{1, 2}, []float64{2, 3}, 1); err == nil {
		t.Error("a difference without spread was tested")
	}
	if d, err := resampled([]float64{0.1 + 0.2, 0.8, 0.7}, []float64{0.1 + 0.2 - 0.1, 0.8 - 0.1, 0.7 - 0.1}, 1); err == nil {
		t.Errorf("rounding was taken for a spread: %+v", d)
	}
	if same, err := resampled(a, a, 1); err != nil || same.P != 1 {
		t.Errorf("equal scores: %v, %v", same, err)
	}
	tests := []*Difference{{}, {}, {}, {}}
	for i, p := range []float64{0.04, 0.01, 0.5, 0.02} {
		tests[i].P = p
	}
	holm(tests)
	// R: p.adjust(c(.04, .01, .5, .02), "holm")
	for i, want := range []float64{0.08, 0.04, 0.5, 0.06} {
		if math.Abs(tests[i].Holm-want) > 1e-15 {
			t.Errorf("p %v adjusts to %v, R gives %v", tests[i].P, tests[i].Holm, want)
		}
	}
}

func TestRanks(t *testing.T) {
	m := Metrics()[4] // accuracy: high is good
	// R: rank(-c(.9, .8, .9, .7)), a failure last.
	if got := m.ranks([]float64{0.9, 0.8, 0.9, 0.7, math.NaN()}); !slices.Equal(got, []float64{1.5, 3, 1.5, 4, 5}) {
		t.Errorf("%v", got)
	}
}
