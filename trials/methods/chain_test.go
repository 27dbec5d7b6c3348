package methods

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/score"
	"github.com/inlier-ml/inlier/verdict"
)

// blobSet makes labelled blobs.
func blobSet(t *testing.T, params map[string]string) *synthetic.Generated {
	t.Helper()
	g, err := synthetic.Generate("blobs", params, 3)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func fitByName(t *testing.T, method string, data *dataset.Set, params map[string]string) catalog.Model {
	t.Helper()
	m, err := catalog.Lookup(method)
	if err != nil {
		t.Fatal(err)
	}
	return mustFit(t, m, data, params, catalog.Run{Seed: 1})
}

// Every learner with every kind of reduction comes back from its state, through JSON, and
// equals the two steps made one after the other.
func TestChainsRestoreAsOneModel(t *testing.T) {
	data := blobSet(t, map[string]string{"n": "120", "d": "6"}).Set
	ctx := context.Background()
	for _, learner := range []string{"kmeans", "kmeans-robust", "density-peaks", "nearest-center", "nearest-subspace"} {
		for _, reducer := range []string{"pca", "pca-robust", "pca-gm"} {
			t.Run(learner+" after "+reducer, func(t *testing.T) {
				params := map[string]string{"reduce": reducer, "reduce.components": "2"}
				a := fitByName(t, learner, data, params)
				d := a.Describe()
				if d.Columns != 6 || len(d.ColumnNames) != 6 || d.Parameters["reduce"] != reducer || d.Parameters["reduce.components"] != "2" {
					t.Errorf("description %+v", d)
				}
				state := written(t, a)
				for name := range state.Arrays {
					if strings.ContainsAny(name, ". /") {
						t.Errorf("array name %q does not suit a file", name)
					}
				}
				m, _ := catalog.Lookup(learner)
				b, err := m.Restore(state)
				if err != nil {
					t.Fatal(err)
				}
				sameBehaviour(t, a, b, data)
				for name := range state.Extra { // what a damaged file lacks is missed
					broken := state
					broken.Extra = map[string]any{}
					for other, v := range state.Extra {
						if other != name {
							broken.Extra[other] = v
						}
					}
					if _, err := m.Restore(broken); err == nil && (strings.HasPrefix(name, "class") || name == "learner") {
						t.Errorf("a model without %s is accepted", name)
					}
				}
				c, ok := a.(catalog.Chained)
				if !ok {
					return // nearest-subspace has a reduction in each class
				}
				scores, err := c.Reducer().Transform(ctx, data.X)
				if err != nil {
					t.Fatal(err)
				}
				want, err := c.Learner().(catalog.Predictor).Predict(ctx, scores)
				if err != nil {
					t.Fatal(err)
				}
				got, err := a.(catalog.Predictor).Predict(ctx, data.X)
				if err != nil || !slices.Equal(got.Labels, want.Labels) {
					t.Errorf("the chain predicts differently from its steps: %v", err)
				}
			})
		}
	}
}

func TestReduceParametersAreChecked(t *testing.T) {
	m, err := catalog.Lookup("kmeans")
	if err != nil {
		t.Fatal(err)
	}
	p, _ := m.Param("reduce")
	for _, name := range []string{"none", "pca", "pca-robust", "correntropy-pca"} {
		if !slices.Contains(p.Choices, name) {
			t.Errorf("reduce does not offer %s: %v", name, p.Choices)
		}
	}
	if slices.Contains(p.Choices, "kmeans") {
		t.Error("kmeans is offered as a reduction")
	}
	v, err := m.Check(map[string]string{"reduce": "pca-robust", "reduce.components": "3", "reduce.loss": "huber"})
	if err != nil || v["reduce.components"] != "3" || v["reduce.loss"] != "huber" || v["reduce.start"] != "auto" {
		t.Errorf("%v, %v", v, err)
	}
	for _, bad := range []struct {
		params map[string]string
		word   string
	}{
		{map[string]string{"reduce.components": "3"}, "reduction"},
		{map[string]string{"reduce": "pca", "reduce.components": "-3"}, "components"},
		{map[string]string{"reduce": "pca", "reduce.component": "3"}, "components"},
		{map[string]string{"reduce": "pca", "reduce.loss": "huber"}, "loss"},
		{map[string]string{"reduce": "pca-robst"}, "reduce"},
	} {
		_, err := m.Check(bad.params)
		var usage *catalog.UsageError
		if !errors.As(err, &usage) || !strings.Contains(usage.Problem+usage.Hint, bad.word) {
			t.Errorf("%v: %v", bad.params, err)
		}
	}
	plain, err := catalog.Lookup("pca")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plain.Check(map[string]string{"reduce.components": "3"}); err == nil {
		t.Error("a method without reduce takes reduce.components")
	}
	data := blobSet(t, map[string]string{"n": "60"}).Set
	if _, err := m.Fit(context.Background(), data.Source(), map[string]string{"reduce": "pca-robust", "reduce.loss": "no-such-loss"}, catalog.Run{}); err == nil {
		t.Error("an unknown loss of the reduction is accepted")
	}
}

// Outliers that a reduction hides are still found: rows whose feet lie among the others.
func TestChainFindsRowsOffTheSubspace(t *testing.T) {
	g, err := synthetic.Generate("low-rank", map[string]string{"n": "200", "d": "10", "sds": "3,2", "noise": "0.05", "outliers": "none"}, 1)
	if err != nil {
		t.Fatal(err)
	}
	data := g.Set
	for i := range 10 {
		row := data.X.RawRowView(i)
		for j := range row {
			row[j] += 4 * math.Cos(float64(3*i+7*j))
		}
	}
	m := fitByName(t, "kmeans", data, map[string]string{"clusters": "2", "reduce": "pca-robust", "reduce.components": "2"})
	out, err := m.(catalog.Detector).Outliers(context.Background(), data)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		if !out.Outlier[i] {
			t.Errorf("row %d is %s", i+1, out.Kind[i])
		}
	}
	if !slices.Contains(out.Kind, verdict.OffSubspace) || out.OrthogonalDistance == nil || out.Count() != m.Describe().Outliers {
		t.Errorf("kinds %v, %d outliers, %d at the fit", out.Kinds, out.Count(), m.Describe().Outliers)
	}
}

// With a target a clustering reports how it agrees with it, as package score does.
func TestClusteringsAreScored(t *testing.T) {
	g := blobSet(t, map[string]string{"n": "150", "label-noise": "0"})
	for _, method := range []string{"kmeans", "kmeans-robust", "density-peaks"} {
		m := fitByName(t, method, g.Set, nil)
		d := m.Describe()
		p, err := m.(catalog.Predictor).Predict(context.Background(), g.Set.X)
		if err != nil {
			t.Fatal(err)
		}
		want, err := score.MatchedAccuracy(g.Set.Target.Labels, p.Labels)
		if err != nil {
			t.Fatal(err)
		}
		if d.Numbers["matched_accuracy"] != want || d.Numbers["nmi_sqrt"] == nil || d.Numbers["nmi_mean"] == nil {
			t.Errorf("%s: numbers %v, accuracy %v", method, d.Numbers, want)
		}
		if d.Parameters["clusters"] != "3" || want < 0.85 {
			t.Errorf("%s: %s clusters, accuracy %v", method, d.Parameters["clusters"], want)
		}
	}
	if d := fitByName(t, "kmeans", &dataset.Set{Name: "x", X: g.Set.X, Columns: g.Set.Columns}, nil).Describe(); d.Numbers["matched_accuracy"] != nil || d.Parameters["clusters"] == "auto" {
		t.Errorf("without a target: %+v", d)
	}
}

// Wrong labels are found and the right ones suggested.
func TestNearestSuggestsLabels(t *testing.T) {
	g := blobSet(t, map[string]string{"n": "300", "d": "6", "separation": "8", "label-noise": "0.1"})
	truth := g.Truth.Labels
	for _, method := range []string{"nearest-center", "nearest-subspace"} {
		params := map[string]string{}
		if method == "nearest-subspace" {
			params["reduce.components"] = "1"
		}
		m := fitByName(t, method, g.Set, params)
		out, err := m.(catalog.Detector).Outliers(context.Background(), g.Set)
		if err != nil {
			t.Fatal(err)
		}
		wrong, found, suggested := 0, 0, 0
		for i, given := range g.Set.Target.Labels {
			if given == truth[i] {
				continue
			}
			wrong++
			if out.Kind[i] == "mislabelled" {
				found++
			}
			if out.Suggested[i] == g.Set.Target.Classes[truth[i]] {
				suggested++
			}
		}
		least := 0.75
		if method == "nearest-subspace" { // a line may run through the strangers in its class
			least = 0.3
		}
		if wrong < 10 || float64(found) < least*float64(wrong) || float64(suggested) < 0.85*float64(wrong) {
			t.Errorf("%s: of %d wrong labels %d are found and %d mended", method, wrong, found, suggested)
		}
	}
}

func TestNearestAndClusterUsage(t *testing.T) {
	g := blobSet(t, map[string]string{"n": "60"})
	data := g.Set
	one := data.Subset([]int{0})
	one.Target.Labels[0] = 0
	var single []int
	for i, k := range data.Target.Labels {
		if k == 0 {
			single = append(single, i)
		}
	}
	holed := data.Subset([]int{0, 1, 2, 3, 4, 5, 6, 7})
	holed.X.Set(3, 1, math.NaN())
	numbers := data.Subset([]int{0, 1, 2, 3})
	numbers.Target = &dataset.Target{Name: "y", Values: []float64{1, 2, 3, 4}}
	huge := &dataset.Set{Name: "huge", X: mat.NewDense(30001, 1, nil), Columns: []string{"a"}}
	for _, c := range []struct {
		method string
		data   *dataset.Set
		params map[string]string
		word   string
	}{
		{"nearest-center", &dataset.Set{Name: "x", X: data.X, Columns: data.Columns}, nil, "--target"},
		{"nearest-center", data.Subset(single), nil, "one class"},
		{"nearest-subspace", data.Subset(single), nil, "one class"},
		{"nearest-center", numbers, nil, "numbers"},
		{"nearest-center", holed, nil, "row 4"},
		{"nearest-center", data, map[string]string{"weights": "reduce"}, "reduction"},
		{"nearest-center", data, map[string]string{"distance": "spectral"}, "images"},
		{"nearest-subspace", data.Subset(append(single[:4:4], firstOther(data))), nil, "one row"},
		{"nearest-subspace", data, map[string]string{"reduce": "correntropy-pca"}, "reconstruction"},
		{"kmeans", holed, nil, "row 4"},
		{"kmeans", data, map[string]string{"clusters": "61"}, "from 1 to 60"},
		{"density-peaks", huge, nil, "30000"},
		{"kmeans-robust", data, map[string]string{"loss": "nothing"}, "losses"},
	} {
		m, err := catalog.Lookup(c.method)
		if err != nil {
			t.Fatal(err)
		}
		_, err = m.Fit(context.Background(), c.data.Source(), c.params, catalog.Run{})
		var usage *catalog.UsageError
		if !errors.As(err, &usage) || !strings.Contains(usage.Problem+" "+usage.Hint, c.word) {
			t.Errorf("%s %v: %v lacks %q", c.method, c.params, err, c.word)
		}
	}
	// A class without rows is left out.
	m := fitByName(t, "nearest-center", withoutClass(data, 1), nil)
	if got := m.Describe().Classes; len(got) != 2 || slices.Contains(got, data.Target.Classes[1]) {
		t.Errorf("classes %v", got)
	}
}

func firstOther(data *dataset.Set) int {
	for i, k := range data.Target.Labels {
		if k != 0 {
			return i
		}
	}
	return -1
}

func withoutClass(data *dataset.Set, class int) *dataset.Set {
	var rows []int
	for i, k := range data.Target.Labels {
		if k != class {
			rows = append(rows, i)
		}
	}
	return data.Subset(rows)
}

// Eq. (30) ranks classes as the norm does, and its scores lie between 0 and 1.
func TestCorrentropyDistanceRanksLikeTheNorm(t *testing.T) {
	data := blobSet(t, map[string]string{"n": "90"}).Set
	a := fitByName(t, "nearest-center", data, map[string]string{"weights": "none"}).(catalog.Predictor)
	b := fitByName(t, "nearest-center", data, map[string]string{"weights": "none", "distance": "correntropy", "alpha": "1.6", "beta": "3"}).(catalog.Predictor)
	x, err := a.Predict(context.Background(), data.X)
	if err != nil {
		t.Fatal(err)
	}
	y, err := b.Predict(context.Background(), data.X)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(x.Labels, y.Labels) || mat.Max(y.Scores) > 1 || mat.Min(y.Scores) < 0 || mat.Max(x.Scores) > 0 {
		t.Error("the two distances rank differently or scores are out of range")
	}
	for i := range x.Labels {
		want := math.Exp(-math.Pow(-x.Scores.At(i, 0)/3, 1.6))
		if math.Abs(y.Scores.At(i, 0)-want) > 1e-12 {
			t.Fatalf("similarity %v, not %v", y.Scores.At(i, 0), want)
		}
	}
}

// Every method that learns can be the second step; nearest-subspace alone reduces the rows
// of each class by themselves.
func TestAnyLearnerCanBeChained(t *testing.T) {
	for _, m := range catalog.Methods() {
		if slices.Contains(m.Tasks, catalog.Reduce) || m.Name == "nearest-subspace" {
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			data, params := sampleFor(t, m)
			params["reduce"], params["reduce.components"] = "pca-robust", "2"
			a := mustFit(t, m, data, params, catalog.Run{Seed: 1})
			if _, ok := a.(catalog.Chained); !ok || a.Describe().Columns != data.Dim() {
				t.Errorf("%T is no chain of %d columns", a, data.Dim())
			}
			state := written(t, a)
			b, err := m.Restore(state)
			if err != nil {
				t.Fatal(err)
			}
			sameBehaviour(t, a, b, data)
		})
	}
}

// Images: cores of a 2-D reduction keep their shape, so that the spectral norm is known.
func TestChainsOnImages(t *testing.T) {
	g, err := synthetic.Generate("faces", map[string]string{"size": "16x16", "subjects": "3", "per-subject": "8"}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		learner string
		params  map[string]string
	}{
		{"kmeans", map[string]string{"reduce": "corr-2dsvd", "reduce.rank": "5x5"}},
		{"nearest-center", map[string]string{"reduce": "corr-2dsvd", "reduce.rank": "5x4", "distance": "spectral"}},
		{"nearest-center", map[string]string{"distance": "spectral"}},
		{"nearest-center", map[string]string{"reduce": "2dpca", "reduce.rank": "4"}},
		{"nearest-subspace", map[string]string{"reduce": "corr-tensor", "reduce.rank": "4x4"}},
	} {
		m := fitByName(t, c.learner, g.Set, c.params)
		method, _ := catalog.Lookup(c.learner)
		b, err := method.Restore(m.State())
		if err != nil {
			t.Fatalf("%s %v: %v", c.learner, c.params, err)
		}
		sameBehaviour(t, m, b, g.Set)
		if !slices.Equal(m.Describe().Shape, []int{16, 16}) {
			t.Errorf("%s: shape %v", c.learner, m.Describe().Shape)
		}
		if c.learner == "kmeans" {
			continue
		}
		if a := m.Describe().Numbers["training_accuracy"].(float64); a < 0.9 {
			t.Errorf("%s %v: training accuracy %v", c.learner, c.params, a)
		}
	}
}

// A class whose rows spread alike in every direction does not take all rows by keeping every
// component.
func TestNearestSubspaceLeavesResiduals(t *testing.T) {
	for seed := uint64(1); seed <= 6; seed++ {
		draw := rand.New(rand.NewPCG(seed, 8))
		x, labels := mat.NewDense(99, 3, nil), make([]int, 99)
		for i := range labels {
			labels[i] = i % 3
			for j := range 3 {
				x.Set(i, j, draw.NormFloat64())
			}
			if x.Set(i, labels[i], x.At(i, labels[i])+4); i%20 == 0 {
				x.Set(i, 1, 1e9)
			}
		}
		set := &dataset.Set{Name: "x", X: x, Columns: []string{"a", "b", "c"}, Target: &dataset.Target{Name: "t", Labels: labels, Classes: []string{"u", "v", "w"}}}
		d := fitByName(t, "nearest-subspace", set, nil).Describe()
		if kept := d.Numbers["components"].([]string); slices.Contains(kept, "3") {
			t.Errorf("seed %d: components %v, accuracy %v", seed, kept, d.Numbers["training_accuracy"])
		}
		if d = fitByName(t, "nearest-subspace", set, map[string]string{"reduce.components": "3"}).Describe(); len(d.Warnings) != 3 {
			t.Errorf("warnings %q", d.Warnings)
		}
	}
}

// A column of rare values is no room for residuals: a class that keeps all other directions
// would take every row.
func TestRareColumnsAreNoRoomForResiduals(t *testing.T) {
	const seeds = 6
	right := 0.0
	for seed := uint64(1); seed <= seeds; seed++ {
		draw := rand.New(rand.NewPCG(seed, 9))
		x, labels := mat.NewDense(150, 4, nil), make([]int, 150)
		for i := range labels {
			labels[i] = i % 3
			for j := range 3 {
				x.Set(i, j, draw.NormFloat64())
			}
			x.Set(i, labels[i], x.At(i, labels[i])+6)
			if draw.Float64() < 0.1 {
				x.Set(i, 3, 1)
			}
		}
		set := &dataset.Set{Name: "x", X: x, Columns: []string{"a", "b", "c", "d"}, Target: &dataset.Target{Name: "t", Labels: labels, Classes: []string{"u", "v", "w"}}}
		d := fitByName(t, "nearest-subspace", set, nil).Describe()
		right += d.Numbers["training_accuracy"].(float64) / seeds
		if kept := d.Numbers["components"].([]string); slices.Contains(kept, "3") || slices.Contains(kept, "4") {
			t.Errorf("seed %d: components %v", seed, kept)
		}
	}
	if right < 0.75 {
		t.Errorf("%v of the rows are right", right)
	}
}
