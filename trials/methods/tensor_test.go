package methods

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/corrupt"
	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/irls"
)

// dirtyFaces are small made-up faces with dummies added at the end.
func dirtyFaces(t *testing.T) (*dataset.Set, *corrupt.Dirt) {
	t.Helper()
	g, err := synthetic.Generate("faces", map[string]string{"size": "16x16", "subjects": "5", "per-subject": "8"}, 1)
	if err != nil {
		t.Fatal(err)
	}
	dirty, dirt, err := corrupt.Apply(g.Set, "dummy:6,mode=add,values=uniform", 1)
	if err != nil {
		t.Fatal(err)
	}
	return dirty, dirt
}

func fitTensor(t *testing.T, name string, data *dataset.Set, params map[string]string) catalog.Model {
	t.Helper()
	m, err := catalog.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return mustFit(t, m, data, params, catalog.Run{Seed: 1})
}

// The arrays of a model file, and that they are what they are called.
func TestTensorArrays(t *testing.T) {
	data, dirt := dirtyFaces(t)
	for name, ranks := range map[string][]int{
		"2dpca": {16, 4}, "l1-2dpca": {16, 4}, "n-2dnpp": {16, 4}, "s-2dnpp": {16, 4},
		"2dsvd": {4, 4}, "r1-2dsvd": {4, 4}, "corr-2dsvd": {4, 4}, "corr-tensor": {4, 4}, "tensor-robust": {4, 4},
	} {
		t.Run(name, func(t *testing.T) {
			m := fitTensor(t, name, data, map[string]string{"rank": "4"})
			state := m.State()
			want := map[string][]int{"mean": {16, 16}, "factor_0": {16, ranks[0]}, "factor_1": {16, ranks[1]}, "weights": {46}, "objective": {len(m.(interface{ Trace() []irls.Step }).Trace())}}
			for array, shape := range want {
				if got := state.Arrays[array].Shape; !slices.Equal(got, shape) {
					t.Errorf("array %s has shape %v, want %v", array, got, shape)
				}
			}
			if len(state.Arrays) != len(want) {
				t.Errorf("%d arrays, want %d", len(state.Arrays), len(want))
			}
			// M = L'(X - mean)R, written out.
			l, r := mat.NewDense(16, ranks[0], state.Arrays["factor_0"].Data), mat.NewDense(16, ranks[1], state.Arrays["factor_1"].Data)
			var x, left, core mat.Dense
			x.Sub(mat.NewDense(16, 16, data.X.RawRowView(3)), mat.NewDense(16, 16, state.Arrays["mean"].Data))
			left.Mul(l.T(), &x)
			core.Mul(&left, r)
			tr := m.(catalog.Transformer)
			scores, err := tr.Transform(context.Background(), data.X)
			if err != nil {
				t.Fatal(err)
			}
			for j, v := range scores.RawRowView(3) {
				if math.Abs(v-core.At(j/ranks[1], j%ranks[1])) > 1e-10 {
					t.Fatalf("entry %d of a core is %v, want %v", j, v, core.At(j/ranks[1], j%ranks[1]))
				}
			}
			if n := len(tr.ScoreNames()); n != ranks[0]*ranks[1] {
				t.Errorf("%d names for %d scores", n, ranks[0]*ranks[1])
			}
			if strings.HasPrefix(name, "corr") || name == "tensor-robust" {
				for i, w := range state.Arrays["weights"].Data {
					if dirt.Rows[i] && w > 0.3 {
						t.Errorf("dummy %d has weight %v", i, w)
					}
				}
			}
		})
	}
}

// On images Corr-Tensor is Corr-2DSVD.
func TestCorrTensorIsCorr2DSVD(t *testing.T) {
	data, _ := dirtyFaces(t)
	for _, params := range []map[string]string{{}, {"rank": "5x4", "alpha": "1.6", "p": "1.5", "beta": "0.8", "normalise": "mean-norm"}, {"rank": "6", "start": "classic"}} {
		a, b := fitTensor(t, "corr-2dsvd", data, params).State(), fitTensor(t, "corr-tensor", data, params).State()
		for name, array := range a.Arrays {
			if !slices.Equal(array.Data, b.Arrays[name].Data) {
				t.Errorf("%v: array %s differs", params, name)
			}
		}
	}
}

// Dividing the data by their mean norm is what normalise=mean-norm stands for.
func TestNormalise(t *testing.T) {
	data, _ := dirtyFaces(t)
	norm := 0.0
	for i := range data.Rows() {
		norm += mat.Norm(data.X.RowView(i), 2) / float64(data.Rows())
	}
	scaled := *data
	scaled.X = mat.DenseCopyOf(data.X)
	scaled.X.Scale(1/norm, scaled.X)
	params := map[string]string{"rank": "5x4", "alpha": "1.5", "beta": "0.3"}
	a := fitTensor(t, "corr-2dsvd", &scaled, params)
	params["normalise"] = "mean-norm"
	b := fitTensor(t, "corr-2dsvd", data, params)
	for i, w := range a.State().Arrays["weights"].Data {
		if math.Abs(w-b.State().Arrays["weights"].Data[i]) > 1e-9 {
			t.Fatalf("weight %d is %v after scaling and %v with mean-norm", i, w, b.State().Arrays["weights"].Data[i])
		}
	}
	if beta := b.Describe().Parameters["beta"]; !strings.HasPrefix(beta, "0.3") && !strings.HasPrefix(beta, "0.2999999") {
		t.Errorf("beta is described as %s", beta)
	}
}

func TestTensorUsage(t *testing.T) {
	data, _ := dirtyFaces(t)
	table := *data
	table.Shape = nil
	for _, c := range []struct {
		method string
		data   *dataset.Set
		params string
		says   string
	}{
		{"corr-2dsvd", data, "shape=20x16", "shape=20x16 does not multiply to the 256 columns"},
		{"2dsvd", &table, "", "the rows of 256 columns have no shape"},
		{"2dpca", &table, "shape=256", "one mode"},
		{"corr-2dsvd", data, "shape=64by64", "shape=64by64 is not allowed"},
		{"corr-2dsvd", data, "rank=0x3", "rank=0x3 is not allowed"},
		{"corr-2dsvd", data, "rank=17x3", "rank=17x3 does not go with samples of shape 16x16"},
		{"corr-2dsvd", data, "rank=3x3x3", "rank=3x3x3 does not go"},
		{"2dpca", data, "rank=3x3", "rank=3x3 does not go"},
		{"corr-tensor", data, "learn-rank=99x3", "learn-rank=99x3 does not go"},
		{"corr-tensor", data, "learn-rank=none", "learn-rank=none is not allowed"},
		{"corr-tensor", data, "beta=-1", "beta=-1 is not allowed"},
		{"n-2dnpp", data, "neighbours=46", "46 neighbours"},
	} {
		m, err := catalog.Lookup(c.method)
		if err != nil {
			t.Fatal(err)
		}
		params := map[string]string{}
		if name, value, ok := strings.Cut(c.params, "="); ok {
			params[name] = value
		}
		_, err = m.Fit(context.Background(), c.data.Source(), params, catalog.Run{})
		var usage *catalog.UsageError
		if !errors.As(err, &usage) || !strings.Contains(usage.Problem, c.says) {
			t.Errorf("%s %s: %v, want %q", c.method, c.params, err, c.says)
		}
	}
	// The same rows with a shape given by parameter are fitted.
	a := fitTensor(t, "2dsvd", &table, map[string]string{"shape": "16x16", "rank": "3x3"})
	b := fitTensor(t, "2dsvd", data, map[string]string{"rank": "3x3"})
	if fmt.Sprint(a.State().Arrays) != fmt.Sprint(b.State().Arrays) {
		t.Error("a shape by parameter gives another model than the data's own")
	}
}
