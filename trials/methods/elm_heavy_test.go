package methods

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/score"
)

// withTail is a regression of four columns and a fifth that has nothing to do with it, normal
// or lognormal.
func withTail(n int, heavy bool, seed uint64) *dataset.Set {
	r := rand.New(rand.NewPCG(seed, 3))
	data := &dataset.Set{Name: "made", X: mat.NewDense(n, 5, nil), Target: &dataset.Target{Name: "y"}}
	for i := range n {
		row := data.X.RawRowView(i)
		for j := range row {
			row[j] = r.NormFloat64()
		}
		data.Target.Values = append(data.Target.Values, math.Sin(row[0])+row[1]+0.5*row[2]*row[3]+0.1*r.NormFloat64())
		if heavy {
			row[4] = math.Exp(2.5 * row[4])
		}
	}
	return data
}

// A column of no use with a long tail costs the machines little, however columns are scaled.
func TestMachinesBearHeavyColumns(t *testing.T) {
	for _, name := range []string{"elm", "relm", "elm-rcc", "elm-robust"} {
		for _, scaling := range []string{"robust", "minmax", "standard"} {
			explained := func(heavy bool) float64 {
				m := mustFit(t, lookup(t, name), withTail(200, heavy, 1), map[string]string{"scaling": scaling, "hidden": "40"}, catalog.Run{Seed: 1})
				fresh := withTail(200, heavy, 2)
				p, err := m.(catalog.Predictor).Predict(context.Background(), fresh.X)
				if err != nil {
					t.Fatal(err)
				}
				r2, err := score.R2(fresh.Target.Values, p.Values)
				if err != nil {
					t.Fatal(err)
				}
				return r2
			}
			light, heavy := explained(false), explained(true)
			t.Logf("%s, scaling %s: R2 %.3f, with a lognormal column %.3f", name, scaling, light, heavy)
			if heavy < light-0.15 {
				t.Errorf("%s, scaling %s: R2 %.3f, with a lognormal column %.3f", name, scaling, light, heavy)
			}
		}
	}
}

// With columns of standard deviation one, as relm has them by itself, machines with a penalty hardly see such a
// column: it cost them a fifth of what they explain.
func TestStandardColumnsHideHeavyOnes(t *testing.T) {
	for name, own := range map[string]map[string]string{"relm": nil, "elm-rcc": {"scaling": "standard"}} {
		fresh := withTail(200, true, 2)
		m := mustFit(t, lookup(t, name), withTail(120, true, 1), own, catalog.Run{Seed: 1})
		p, err := m.(catalog.Predictor).Predict(context.Background(), fresh.X)
		if err != nil {
			t.Fatal(err)
		}
		if r2, _ := score.R2(fresh.Target.Values, p.Values); r2 < 0.9 {
			t.Errorf("%s: R2 %.3f", name, r2)
		}
	}
}

// A column of no use with a long tail costs robust machines little as they come, and far rows with wrong targets do not make
// nodes blind by looking like a tail: of the widths of columns only what three quarters of the rows show is believed.
func TestRobustMachinesSeePastTails(t *testing.T) {
	explained := func(dirt, heavy bool) float64 {
		sum := 0.0
		for seed := uint64(1); seed <= 3; seed++ {
			data, next := withTail(120, heavy, seed), withTail(1000, heavy, 99)
			for i := 0; dirt && i < 18; i++ {
				data.X.Set(i, 0, data.X.At(i, 0)+10)
				data.Target.Values[i] -= 15
			}
			p, err := mustFit(t, lookup(t, "elm-robust"), data, nil, catalog.Run{Seed: seed}).(catalog.Predictor).Predict(context.Background(), next.X)
			if err != nil {
				t.Fatal(err)
			}
			r2, err := score.R2(next.Target.Values, p.Values)
			if err != nil {
				t.Fatal(err)
			}
			sum += r2 / 3
		}
		return sum
	}
	light, heavy, dirty := explained(false, false), explained(false, true), explained(true, false)
	t.Logf("R2 %.3f, with a lognormal column %.3f, with far rows %.3f", light, heavy, dirty)
	if heavy < light-0.04 || dirty < 0.8 {
		t.Errorf("R2 %.3f, with a lognormal column %.3f, with far rows %.3f", light, heavy, dirty)
	}
}

// What lies beyond the rows that output weights of any size were learned from meets the machine at the last of them.
func TestPlainMachineBeyondItsRows(t *testing.T) {
	for seed := uint64(1); seed <= 5; seed++ {
		data, fresh := withTail(200, true, seed), withTail(1000, true, 99)
		for _, set := range []*dataset.Set{data, fresh} {
			for i := range set.Target.Values {
				set.X.Set(i, 4, math.Pow(set.X.At(i, 4), 0.4)) // of lognormal spread 1: nothing is pulled in
			}
		}
		p, err := mustFit(t, lookup(t, "elm"), data, map[string]string{"scaling": "minmax"}, catalog.Run{Seed: seed}).(catalog.Predictor).Predict(context.Background(), fresh.X)
		if err != nil {
			t.Fatal(err)
		}
		if r2, _ := score.R2(fresh.Target.Values, p.Values); r2 < 0.75 {
			t.Errorf("seed %d: R2 %.3f", seed, r2)
		}
	}
}

// What a machine's layer was drawn from is told, whoever chose it.
func TestMachinesTellTheirRanges(t *testing.T) {
	for _, c := range []struct {
		params map[string]string
		want   [4]string
	}{
		{nil, [4]string{"-0.27110883423451915", "0.27110883423451915", "-1", "1"}},
		{map[string]string{"activation": "gaussian"}, [4]string{"-1", "1", "0", "0.2"}},
		{map[string]string{"lambda": "0.1"}, [4]string{"-1", "1", "0", "1"}},
		{map[string]string{"weight-high": "2", "bias-low": "-3"}, [4]string{"-1", "2", "-3", "1"}},
		{map[string]string{"activation": "gaussian", "bias-low": "0", "bias-high": "1"}, [4]string{"-1", "1", "0", "1"}},
	} {
		m := mustFit(t, lookup(t, "relm"), withTail(60, false, 1), c.params, catalog.Run{Seed: 1})
		told := m.Describe().Parameters
		if got := [4]string{told["weight-low"], told["weight-high"], told["bias-low"], told["bias-high"]}; got != c.want {
			t.Errorf("%v: %q instead of %q", c.params, got, c.want)
		}
	}
}

// Many classes are learned with one weight per row, unless a penalty is given as in the paper.
func TestManyClassesHaveOneWeightPerRow(t *testing.T) {
	data := generated(t, "blobs", map[string]string{"n": "60"})
	for i := range data.Target.Labels {
		data.Target.Labels[i] = i % 12
	}
	data.Target.Classes = []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"}
	few := generated(t, "blobs", map[string]string{"n": "60"})
	for _, c := range []struct {
		data   *dataset.Set
		params map[string]string
		want   string
	}{
		{data, nil, "row"}, {data, map[string]string{"lambda": "0.01"}, "element"}, {data, map[string]string{"weighting": "element"}, "element"},
		{few, nil, "element"}, {few, map[string]string{"weighting": "row"}, "row"},
	} {
		m := mustFit(t, lookup(t, "elm-rcc"), c.data, c.params, catalog.Run{Seed: 1})
		if got := m.Describe().Parameters["weighting"]; got != c.want {
			t.Errorf("%d classes, %v: weighting %s instead of %s", len(c.data.Target.Classes), c.params, got, c.want)
		}
	}
}
