package jobs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/judge"
	"github.com/inlier-ml/inlier/verdict"
)

// Whatever the method and the coding, a word that no training row had costs the answer to its row alone, in memory and in blocks, read
// plainly and tolerantly: the others are answered as without it, and the row and its word are told.
func TestANewWordCostsItsRow(t *testing.T) {
	const n, at = 90, 7
	draw := rand.New(rand.NewPCG(3, 4))
	lines := []string{"town,a,b,c,y,label"}
	for range n {
		a, b, c := draw.NormFloat64(), draw.NormFloat64(), draw.NormFloat64()
		town := []string{"Bonn", "Kiel", "Hof"}[draw.IntN(3)]
		lines = append(lines, fmt.Sprintf("%s,%.4f,%.4f,%.4f,%.4f,%s", town, a, b, c, a+2*b+0.1*draw.NormFloat64(), map[bool]string{true: "u", false: "v"}[a > 0]))
	}
	known := slices.Clone(lines)
	path := filepath.Join(t.TempDir(), "new.csv")
	write := func(lines []string) {
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, rest, _ := strings.Cut(lines[at+1], ",")
	lines[at+1] = "Ulm," + rest
	for _, m := range inlier.Methods() {
		if m.Family == "tensor" {
			continue
		}
		for _, coding := range []string{"onehot", "ordinal"} {
			d := inlier.Data{Path: "rows.csv", Reader: strings.NewReader(strings.Join(known, "\n")), Categorical: coding, Drop: []string{"y", "label"}, Tolerant: coding == "ordinal"}
			switch {
			case slices.Contains(m.Tasks, catalog.Classify):
				d.Target, d.Drop = "label", []string{"y"}
			case slices.Contains(m.Tasks, catalog.Regress):
				d.Target, d.Drop = "y", []string{"label"}
			}
			fitted, err := inlier.Fit{Method: m.Name, Data: d, Seed: 1}.Run(t.Context(), nil)
			if err != nil {
				t.Errorf("%s: %v", m.Name, err)
				continue
			}
			if fitted.Parameters["missing"] == "fit" {
				continue // it fills the cell
			}
			ask := func(lines []string, memory int64) map[string]any {
				write(lines)
				d, out := inlier.Data{Path: path, Memory: memory}, map[string]any{}
				if v, err := (inlier.Judge{Model: fitted.Fitted(), Data: d, Why: true, Partly: true}).Stream(t.Context(), nil, func(v *inlier.JudgeResult) error {
					out["judge"] = slices.Clone(v.Rows)
					return nil
				}); err != nil {
					t.Errorf("%s: judge: %v", m.Name, err)
				} else {
					out["count"] = v.Outliers
				}
				if made, err := (inlier.Predict{Model: fitted.Fitted(), Data: d}).Stream(t.Context(), nil, func(p *inlier.PredictResult) error {
					out["predict"] = p.Table().Rows
					return nil
				}); err == nil {
					out["remarks"] = made.Remarks()
				} else if _, err := (inlier.Transform{Model: fitted.Fitted(), Data: d}).Stream(t.Context(), nil, func(r *inlier.RowsResult) error {
					out["predict"], out["remarks"] = r.Table().Rows, r.Remarks
					return nil
				}); err != nil && m.Family != "cluster" {
					t.Errorf("%s: %v", m.Name, err)
				}
				return out
			}
			for _, memory := range []int64{0, 1} {
				name := fmt.Sprintf("%s, %s, %d bytes", m.Name, coding, memory)
				before, after := ask(known, memory), ask(lines, memory)
				rows, others := after["judge"].([]judge.Row), before["judge"].([]judge.Row)
				for i := range rows {
					if i == at {
						if r := rows[i]; r.Kind != verdict.NewWord || !r.Outlier || r.Weight != 0 || len(r.Why) != 1 || r.Why[0].Column != "town" || r.Why[0].Word != "Ulm" {
							t.Errorf("%s: %+v", name, r)
						}
						continue
					}
					if x, y := text(t, rows[i]), text(t, others[i]); memory > 0 && !bytes.Equal(x, y) {
						t.Errorf("%s: row %d: %s, before %s", name, i+1, x, y)
					}
				}
				if out := after["count"].(int) - before["count"].(int); out < 0 || out > 1 {
					t.Errorf("%s: %d outliers more", name, out)
				}
				said := fmt.Sprint(after["remarks"])
				if !strings.Contains(said, `1 row with a word that the model has not learned, such as town "Ulm", has no answer: 8`) {
					t.Errorf("%s: %s", name, said)
				}
				x, y := after["predict"].([][]any), before["predict"].([][]any)
				for i := range x {
					if same := bytes.Equal(text(t, fmt.Sprint(x[i])), text(t, fmt.Sprint(y[i]))); same == (i == at) {
						t.Errorf("%s: row %d: %v, before %v", name, i+1, x[i], y[i])
					}
				}
			}
		}
	}
}

func text(t *testing.T, v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
