package model

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/model"
)

// Every method that reduces rows comes back from its file as it was: the same
// description, state, scores, reconstructions and verdicts, bit by bit.
func TestMethodsComeBack(t *testing.T) {
	recipe := synthetic.DefaultLowRank()
	recipe.N, recipe.D, recipe.SDs, recipe.Offset = 60, 6, []float64{5, 3}, 4
	made, err := recipe.Generate(1)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for _, method := range catalog.Methods() {
		if !slices.Contains(method.Tasks, catalog.Reduce) || method.Family != "pca" && method.Family != "correntropy-pca" {
			continue
		}
		t.Run(method.Name, func(t *testing.T) {
			fitted, err := method.Fit(ctx, made.Set.Source(), map[string]string{"components": "2"}, catalog.Run{Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "m.npz")
			if err := model.Save(path, fitted); err != nil {
				t.Fatal(err)
			}
			loaded, err := model.Load(path)
			if err != nil {
				t.Fatal(err)
			}
			// Figures come back as JSON has them: lists as []any.
			if diff := cmp.Diff(fitted.Describe(), loaded.Describe(), cmpopts.EquateNaNs(), cmpopts.IgnoreFields(catalog.Description{}, "Numbers")); diff != "" {
				t.Errorf("description (-before +after):\n%s", diff)
			}
			if diff := cmp.Diff(fitted.State().Arrays, loaded.State().Arrays); diff != "" {
				t.Errorf("arrays (-before +after):\n%s", diff)
			}
			before, after := fitted.(catalog.Transformer), loaded.(catalog.Transformer)
			same(t, "scores", before.Transform, after.Transform, made.Set.X)
			same(t, "reconstructions", before.Reconstruct, after.Reconstruct, made.Set.X)
			if d, ok := fitted.(catalog.Detector); ok {
				want, err := d.Outliers(ctx, made.Set)
				if err != nil {
					t.Fatal(err)
				}
				got, err := loaded.(catalog.Detector).Outliers(ctx, made.Set)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b *mat.Dense) bool { return a == b || a != nil && b != nil && mat.Equal(a, b) })); diff != "" {
					t.Errorf("verdict (-before +after):\n%s", diff)
				}
			}
		})
	}
}

// same compares what a function of two models gives; both may refuse.
func same(t *testing.T, what string, before, after func(context.Context, *mat.Dense) (*mat.Dense, error), x *mat.Dense) {
	t.Helper()
	want, errBefore := before(context.Background(), x)
	got, errAfter := after(context.Background(), x)
	switch {
	case (errBefore == nil) != (errAfter == nil):
		t.Errorf("%s: error %v before, %v after", what, errBefore, errAfter)
	case errBefore == nil && !mat.Equal(want, got):
		t.Errorf("%s differ", what)
	}
}

// A file can be whole by its checksum and still hold what no fit gives. Loading it must
// end in a complaint, not in a panic or in a model that panics.
func TestArraysThatDoNotFitTogether(t *testing.T) {
	recipe := synthetic.DefaultLowRank()
	recipe.N, recipe.D, recipe.SDs = 30, 5, []float64{5, 3}
	made, err := recipe.Generate(1)
	if err != nil {
		t.Fatal(err)
	}
	method, err := catalog.Lookup("pca-robust")
	if err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*catalog.State){
		"short mean":       func(s *catalog.State) { s.Arrays["mean"] = archive.Vector([]float64{1, 2}) },
		"no mean":          func(s *catalog.State) { delete(s.Arrays, "mean") },
		"flat components":  func(s *catalog.State) { s.Arrays["components"] = archive.Vector(s.Arrays["components"].Data) },
		"no components":    func(s *catalog.State) { s.Arrays["components"] = catalog.Array{Shape: []int{0, 5}, Data: []float64{}} },
		"few eigenvalues":  func(s *catalog.State) { s.Arrays["eigenvalues"] = archive.Vector([]float64{1}) },
		"huge components":  func(s *catalog.State) { s.Arrays["components"].Data[0] = 1e300 },
		"no loss":          func(s *catalog.State) { delete(s.Extra, "loss_at") },
		"loss is a number": func(s *catalog.State) { s.Extra["loss_at"] = 3 },
		"loss is unknown":  func(s *catalog.State) { s.Extra["loss_at"] = "nonsense" },
	} {
		t.Run(name, func(t *testing.T) {
			fitted, err := method.Fit(context.Background(), made.Set.Source(), map[string]string{"components": "2"}, catalog.Run{Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			s := fitted.State()
			spoil(&s)
			path := filepath.Join(t.TempDir(), "m.npz")
			if err := model.Save(path, kept{s}); err != nil {
				t.Fatal(err)
			}
			_, err = model.Load(path)
			refused(t, err, path, "damaged")
		})
	}
}
