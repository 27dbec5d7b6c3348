package methods

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/verdict"
)

// A context that has ended is no mistake of the user, whatever was asked.
func TestCancelledQuestions(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	side(t, func(t *testing.T, e entrant) {
		data := generate(e.world, 40, 1)
		m := mustFit(t, e.method, data, e.params, catalog.Run{Seed: 1})
		answers := map[string]error{}
		_, answers["Outliers"] = m.(catalog.Detector).Outliers(ended, data)
		if p, ok := m.(catalog.Predictor); ok {
			_, answers["Predict"] = p.Predict(ended, data.X)
		}
		if tr, ok := m.(catalog.Transformer); ok {
			_, answers["Transform"] = tr.Transform(ended, data.X)
		}
		for name, err := range answers {
			var usage *catalog.UsageError
			if err != nil && (!errors.Is(err, context.Canceled) || errors.As(err, &usage)) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// A set without column names is fitted like any other, and a cell that is missing is named
// by its number.
func TestSetsWithoutColumnNames(t *testing.T) {
	side(t, func(t *testing.T, e entrant) {
		data := generate(e.world, 40, 1)
		data.Columns = nil
		for i := range 40 {
			if e.world == "line" {
				data.X.Set(i, 2, 7) // a constant column
			}
		}
		m, err := e.attempt(context.Background(), data, catalog.Run{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		judged(t, m, data)
		for _, gap := range []float64{math.NaN(), math.Inf(1)} {
			data.X.Set(4, 1, gap)
			_, err = e.attempt(context.Background(), data, catalog.Run{Seed: 1})
			if p, ok := e.method.Param("missing"); ok && p.Default == "fit" && math.IsNaN(gap) { // welcome, unless told otherwise
				if err != nil {
					t.Errorf("a cell of %v: %v", gap, err)
				}
				e.params = maps.Clone(e.params)
				e.params["missing"] = "error"
				_, err = e.attempt(context.Background(), data, catalog.Run{Seed: 1})
			}
			var usage *catalog.UsageError
			if !errors.As(err, &usage) || !strings.Contains(usage.Problem, "5") || !strings.Contains(usage.Problem, "2") {
				t.Errorf("a cell of %v: %v", gap, err)
			}
		}
	})
}

// What no method can use is refused before anything is fitted.
func TestUnusableSetsAreRefused(t *testing.T) {
	side(t, func(t *testing.T, e entrant) {
		good := generate(e.world, 40, 1)
		_, d := good.X.Dims()
		weights := func(v float64) []float64 { return slices.Repeat([]float64{v}, 40) }
		one := weights(1)
		one[3] = -1
		for name, try := range map[string]func(s *dataset.Set) []float64{
			"negative shape":  func(s *dataset.Set) []float64 { s.Shape = []int{-2, -d / 2}; return nil },
			"wrong shape":     func(s *dataset.Set) []float64 { s.Shape = []int{d, 2}; return nil },
			"empty":           func(s *dataset.Set) []float64 { s.X = &mat.Dense{}; return nil },
			"zero weights":    func(*dataset.Set) []float64 { return weights(0) },
			"no number":       func(*dataset.Set) []float64 { return weights(math.NaN()) },
			"negative weight": func(*dataset.Set) []float64 { return one },
			"few weights":     func(*dataset.Set) []float64 { return one[:7] },
		} {
			set := *good
			w := try(&set)
			_, err := e.attempt(context.Background(), &set, catalog.Run{Weights: w})
			var usage *catalog.UsageError
			if !errors.As(err, &usage) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// A row of which nothing is known is never called regular.
func TestMissingRowIsNotRegular(t *testing.T) {
	side(t, func(t *testing.T, e entrant) {
		data := generate(e.world, 40, 1)
		m := mustFit(t, e.method, data, e.params, catalog.Run{Seed: 1})
		row := data.X.RawRowView(6)
		for j := range row {
			row[j] = math.NaN()
		}
		for _, m := range []catalog.Model{m, reloaded(t, e.method, m)} {
			o, err := m.(catalog.Detector).Outliers(context.Background(), data)
			var usage *catalog.UsageError
			if errors.As(err, &usage) && strings.Contains(usage.Problem, "7") {
				continue // refused, with the number of the row
			}
			if err != nil {
				t.Fatal(err)
			}
			if o.Kind[6] != verdict.Missing || !o.Outlier[6] || o.Weight != nil && o.Weight[6] != 0 || !slices.Contains(o.Kinds, verdict.Missing) {
				t.Errorf("the row is %q, flagged %v, weights %v", o.Kind[6], o.Outlier[6], o.Weight)
			}
			if n := o.Count(); n > 20 {
				t.Errorf("%d rows are flagged", n)
			}
		}
	})
}

// How a fit ended comes back with its model; files that do not say still load.
func TestStatusIsRestored(t *testing.T) {
	side(t, func(t *testing.T, e entrant) {
		m := mustFit(t, e.method, generate(e.world, 40, 1), e.params, catalog.Run{Seed: 1})
		state := written(t, m)
		for text, want := range map[string]irls.Status{m.Describe().Status: -1, "cancelled": irls.Cancelled, "": irls.Unfinished} {
			if want < 0 {
				want, _ = irls.ParseStatus(text)
			}
			state.Description.Status = text
			back, err := e.method.Restore(state)
			if err != nil {
				t.Fatalf("status %q: %v", text, err)
			}
			if s, ok := catalog.As[interface{ Status() irls.Status }](back); ok && s.Status() != want {
				t.Errorf("status %q comes back as %v", text, s.Status())
			}
			if got := back.Describe().Status; got != text {
				t.Errorf("status %q is described as %q", text, got)
			}
		}
	})
}

// Columns of zeros without an intercept leave nothing to fit with.
func TestColumnsOfZeros(t *testing.T) {
	data := generate("line", 30, 1)
	data.X.Zero()
	for _, m := range catalog.Methods() {
		if !slices.Contains(m.Tasks, catalog.Regress) {
			continue
		}
		for _, intercept := range []string{"on", "off"} {
			params := map[string]string{}
			if _, ok := m.Param("intercept"); ok {
				params["intercept"] = intercept
			}
			e := entrant{m.Name, m, params, "line"}
			_, err := e.attempt(context.Background(), data, catalog.Run{Seed: 1})
			if err != nil && strings.Contains(err.Error(), "panic") {
				t.Errorf("%s, intercept %s: %v", m.Name, intercept, err)
			}
		}
	}
}
