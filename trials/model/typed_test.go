package model

import (
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/classify"
	"github.com/inlier-ml/inlier/cluster"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linear"
	"github.com/inlier-ml/inlier/model"
	"github.com/inlier-ml/inlier/nearest"
	"github.com/inlier-ml/inlier/pca"
	"github.com/inlier-ml/inlier/tensor"
	"github.com/inlier-ml/inlier/verdict"
)

// saver is what every typed model can do with files.
type saver interface {
	catalog.Typed
	Save(path string) error
}

// loads makes a loader of a family's own.
func loads[M saver](load func(string) (M, error)) func(string) (saver, error) {
	return func(path string) (saver, error) { return load(path) }
}

// typedRows are 40 rows of 6 columns in two classes, with a number that goes with them.
func typedRows() (x *mat.Dense, y []float64, labels []int) {
	draw := random.New(3, "typed")
	x, y, labels = mat.NewDense(40, 6, nil), make([]float64, 40), make([]int, 40)
	for i := range 40 {
		labels[i] = i % 2
		a := draw.NormFloat64()
		for j := range 6 {
			x.Set(i, j, a*float64(j+1)+0.3*draw.NormFloat64()+3*float64(labels[i]))
		}
		y[i] = a + 0.1*draw.NormFloat64()
	}
	x.Set(7, 2, 50)
	return x, y, labels
}

// A typed model is written and read without the catalog; the file is the same that the
// catalog reads and writes, and all of them judge alike to the last bit.
func TestTypedFiles(t *testing.T) {
	ctx := context.Background()
	x, y, labels := typedRows()
	src := linalg.FromDense(x)
	targets := mat.NewDense(40, 1, y)
	must := func(m saver, err error) saver {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	data := &dataset.Set{Name: "rows", X: x, Columns: []string{"a", "b", "c", "d", "e", "f"}}
	numbers := &dataset.Target{Name: "y", Values: y}
	classes := &dataset.Target{Name: "k", Labels: labels, Classes: []string{"1", "2"}}
	p, err := pca.Robust{Options: pca.Options{Components: 2}}.Fit(ctx, src)
	pm := must(p, err)
	q, err := pca.Correntropy{Components: 2}.Fit(ctx, linalg.FromDense(x))
	qm := must(q, err)
	l, err := linear.Robust{}.Fit(ctx, linalg.FromDense(x), y)
	lm := must(l, err)
	e, err := elm.KMPE{Options: elm.Options{Hidden: 8, Scaling: elm.ScaleRobust, Clip: 20, Leverage: true}}.Fit(ctx, src, targets)
	em := must(e, err)
	c, err := classify.RegMaxCEM{}.Fit(ctx, linalg.FromDense(x), labels, 2)
	cm := must(c, err)
	n, err := tensor.Corr{Options: tensor.Options{Shape: []int{2, 3}, Rank: []int{1, 2}}}.Fit(ctx, src)
	nm := must(n, err)
	k, err := cluster.KMeans{Clusters: 2}.Fit(ctx, src)
	km := must(k, err)
	d, err := cluster.DensityPeaks{Clusters: 2}.Fit(ctx, linalg.FromDense(x))
	dm := must(d, err)
	s, err := nearest.Centers{}.Fit(ctx, linalg.FromDense(x), labels, 2)
	sm := must(s, err)
	for name, c := range map[string]struct {
		model  saver
		load   func(string) (saver, error)
		target *dataset.Target
	}{
		"pca":         {pm, loads(pca.Load), nil},
		"correntropy": {qm, loads(pca.LoadCorrentropy), nil},
		"linear":      {lm, loads(linear.Load), numbers},
		"elm":         {em, loads(elm.Load), numbers},
		"classify":    {cm, loads(classify.Load), classes},
		"tensor":      {nm, loads(tensor.Load), nil},
		"kmeans":      {km, loads(cluster.Load), nil},
		"peaks":       {dm, loads(cluster.LoadPeaks), nil},
		"nearest":     {sm, loads(nearest.Load), classes},
	} {
		t.Run(name, func(t *testing.T) {
			typed, general := filepath.Join(t.TempDir(), "typed.npz"), filepath.Join(t.TempDir(), "general.npz")
			if err := c.model.Save(typed); err != nil {
				t.Fatal(err)
			}
			any, err := model.Load(typed)
			if err != nil {
				t.Fatal(err)
			}
			if err := model.Save(general, any); err != nil {
				t.Fatal(err)
			}
			back, err := c.load(general)
			if err != nil {
				t.Fatal(err)
			}
			same := []cmp.Option{cmpopts.EquateNaNs(), cmpopts.EquateEmpty(), ignoreInput}
			if diff := cmp.Diff(plain(t, c.model.State()), plain(t, back.State()), same...); diff != "" {
				t.Errorf("the state changed on its way (-before +after):\n%s", diff)
			}
			set := *data
			set.Target = c.target
			want := judged(t, adapted(t, c.model), &set)
			for what, got := range map[string]*verdict.Rows{"loaded by the catalog": judged(t, any, &set), "loaded by its family": judged(t, adapted(t, back), &set)} {
				if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b *mat.Dense) bool { return a == b || mat.Equal(a, b) }), cmpopts.IgnoreFields(verdict.Rows{}, "Suggested")); diff != "" {
					t.Errorf("%s: other verdicts (-before +after):\n%s", what, diff)
				}
			}
		})
	}
	if _, err := linear.Load(savedAs(t, pm)); err == nil || !strings.Contains(err.Error(), "another family") {
		t.Errorf("a subspace read as a regression: %v", err)
	}
}

func savedAs(t *testing.T, m saver) string {
	path := filepath.Join(t.TempDir(), "m.npz")
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// plain is a state as a file brings it back.
func plain(t *testing.T, s catalog.State) catalog.State {
	t.Helper()
	var b bytes.Buffer
	if err := model.Write(&b, kept{s}, model.Input{}); err != nil {
		t.Fatal(err)
	}
	c, err := readBytes(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return c.State()
}

func adapted(t *testing.T, m catalog.Typed) catalog.Model {
	t.Helper()
	out, err := catalog.Adapt(m)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func judged(t *testing.T, m catalog.Model, set *dataset.Set) *verdict.Rows {
	t.Helper()
	out, err := m.(catalog.Detector).Outliers(context.Background(), set)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Every family's model tells the same things under the same names.
func TestModelsHaveOneMethodSet(t *testing.T) {
	for _, m := range []any{&pca.Model{}, &pca.CorrentropyModel{}, &linear.Model{}, &elm.Model{}, &classify.Model{}, &tensor.Model{}, &cluster.Model{}, &cluster.PeakModel{}, &nearest.Model{}, &nearest.Subspaces{}} {
		for _, name := range []string{"Status", "Steps", "Loss", "Warnings", "Rows", "Columns", "Weights", "Training", "Judge", "Describe", "State", "WriteTo", "Save"} {
			if _, ok := reflect.TypeOf(m).MethodByName(name); !ok {
				t.Errorf("%T has no %s", m, name)
			}
		}
	}
}

// A program that loads a typed model links neither the catalog nor readers of tables.
func TestTypedModelsStandAlone(t *testing.T) {
	const module = "github.com/inlier-ml/inlier/"
	for _, family := range []string{"pca", "linear", "elm", "classify", "tensor", "cluster", "nearest"} {
		out, err := exec.Command("go", "list", "-deps", module+family).Output()
		if err != nil {
			t.Skipf("go list: %v", err)
		}
		for _, line := range strings.Fields(string(out)) {
			if strings.HasPrefix(line, module+"dataset") || line == module+"catalog" || line == module+"model" || strings.Contains(line, "parquet") {
				t.Errorf("%s imports %s", family, line)
			}
		}
	}
}
