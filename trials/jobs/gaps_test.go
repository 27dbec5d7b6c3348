package jobs

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
)

// Whatever the method, a missing cell costs the answer to its row alone: the others are answered as without it.
func TestAMissingCellCostsItsRow(t *testing.T) {
	const n, d, gap = 80, 5, 7
	for _, m := range inlier.Methods() {
		if m.Family == "tensor" { // which asks for a shape
			continue
		}
		draw := rand.New(rand.NewPCG(1, 2))
		set := &dataset.Set{Name: "rows", X: mat.NewDense(n, d, nil), Columns: []string{"a", "b", "c", "d", "e"}}
		labels, values := make([]int, n), make([]float64, n)
		for i := range n {
			labels[i] = i % 2
			for j := range d {
				set.X.Set(i, j, draw.NormFloat64()+4*float64(labels[i]*(j%2)))
			}
			values[i] = set.X.At(i, 0) + 2*set.X.At(i, 1) + 0.1*draw.NormFloat64()
		}
		switch {
		case slices.Contains(m.Tasks, catalog.Classify):
			set.Target = &dataset.Target{Name: "t", Labels: labels, Classes: []string{"u", "v"}}
		case slices.Contains(m.Tasks, catalog.Regress):
			set.Target = &dataset.Target{Name: "t", Values: values}
		}
		fitted, err := inlier.Fit{Method: m.Name, Data: inlier.Data{Set: set}, Seed: 1}.Run(t.Context(), nil)
		if err != nil {
			t.Errorf("%s: %v", m.Name, err)
			continue
		}
		if fitted.Parameters["missing"] == "fit" {
			continue // it has a way of its own
		}
		holed := *set
		holed.X = mat.DenseCopyOf(set.X)
		holed.X.Set(gap, 2, math.NaN())
		for name, ask := range map[string]func(d inlier.Data) (any, error){
			"judge": func(d inlier.Data) (any, error) {
				return inlier.Judge{Model: fitted.Fitted(), Data: d, Gaps: true}.Run(t.Context(), nil)
			},
			"predict": func(d inlier.Data) (any, error) {
				return inlier.Predict{Model: fitted.Fitted(), Data: d, Probabilities: true, Gaps: true}.Run(t.Context(), nil)
			},
			"transform": func(d inlier.Data) (any, error) {
				return inlier.Transform{Model: fitted.Fitted(), Data: d, Gaps: true}.Run(t.Context(), nil)
			},
		} {
			whole, err := ask(inlier.Data{Set: set})
			if err != nil {
				continue // the model has no such answer
			}
			got, err := ask(inlier.Data{Set: &holed})
			if err != nil {
				t.Errorf("%s, %s: %v", m.Name, name, err)
				continue
			}
			want, rows := rowsOf(t, whole), rowsOf(t, got)
			for i := range rows {
				switch {
				case i != gap && rows[i] != want[i]:
					t.Errorf("%s, %s: row %d is %s, without the gap %s", m.Name, name, i+1, rows[i], want[i])
				case i == gap && name == "judge" && (!strings.Contains(rows[i], `"missing"`) || strings.Contains(rows[i], "why")):
					t.Errorf("%s, %s: %s", m.Name, name, rows[i])
				case i == gap && name != "judge" && strings.ContainsAny(strings.NewReplacer("score_u", "", "score_v", "").Replace(rows[i]), "123456789"):
					t.Errorf("%s, %s: %s", m.Name, name, rows[i])
				}
			}
		}
	}
}

// rowsOf are the rows of an answer as JSON.
func rowsOf(t *testing.T, made any) []string {
	t.Helper()
	text, err := json.Marshal(made)
	var whole struct{ Rows []json.RawMessage }
	if err == nil {
		err = json.Unmarshal(text, &whole)
	}
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, r := range whole.Rows {
		rows = append(rows, string(r))
	}
	return rows
}
