package model

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/fixture"
	"github.com/inlier-ml/inlier/model"
)

// Files of the first version (testdata/v0, written by the program of commit 2766abd: inlier fit
// METHOD rows.csv --out METHOD.npz) load, and their models say of the rows what that program
// said (inlier outliers METHOD.npz rows.csv --json).
func TestOldFilesLoad(t *testing.T) {
	var want map[string][]struct {
		Weight             float64  `json:"weight"`
		OrthogonalDistance *float64 `json:"orthogonal_distance"`
		ScoreDistance      *float64 `json:"score_distance"`
		Residual           *float64 `json:"residual"`
		Outlier            bool     `json:"outlier"`
		Kind               string   `json:"kind"`
		Suggested          string   `json:"suggested"`
	}
	text, err := os.ReadFile(fixture.Path(t, "v0/verdicts.json"))
	if err == nil {
		err = json.Unmarshal(text, &want)
	}
	if err != nil {
		t.Fatal(err)
	}
	set, numbers, classes := oldRows(t)
	for name, rows := range want {
		t.Run(name, func(t *testing.T) {
			m, err := model.Load(fixture.Path(t, "v0/"+name+".npz"))
			if err != nil {
				t.Fatal(err)
			}
			data := *set
			switch m.Describe().Target {
			case "y":
				data.Target = numbers
			case "k":
				data.Target = classes
			}
			got := judged(t, m, &data)
			near := func(what string, i int, want *float64, got []float64) {
				if want != nil && !(math.Abs(got[i]-*want) <= 1e-9*(1+math.Abs(*want))) {
					t.Errorf("row %d: %s %g, was %g", i+1, what, got[i], *want)
				}
			}
			for i, w := range rows {
				near("orthogonal distance", i, w.OrthogonalDistance, got.OrthogonalDistance)
				near("score distance", i, w.ScoreDistance, got.ScoreDistance)
				near("residual", i, w.Residual, got.Residual)
				if got.Weight != nil {
					near("weight", i, &w.Weight, got.Weight)
				}
				if got.Outlier[i] != w.Outlier || string(got.Kind[i]) != w.Kind || got.Suggested != nil && got.Suggested[i] != w.Suggested {
					t.Errorf("row %d is %s, was %s", i+1, got.Kind[i], w.Kind)
				}
			}
		})
	}
	if len(want) < 10 {
		t.Errorf("%d old files", len(want))
	}
}

// oldRows reads the rows that the old models were fitted to.
func oldRows(t *testing.T) (set *dataset.Set, numbers, classes *dataset.Target) {
	t.Helper()
	f, err := os.Open(fixture.Path(t, "v0/rows.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	set = &dataset.Set{Name: "rows.csv", X: mat.NewDense(len(records)-1, 4, nil), Columns: records[0][:4]}
	numbers, classes = &dataset.Target{Name: "y"}, &dataset.Target{Name: "k", Classes: []string{"u", "v"}}
	for i, r := range records[1:] {
		for j := range 4 {
			v, _ := strconv.ParseFloat(r[j], 64)
			set.X.Set(i, j, v)
		}
		v, _ := strconv.ParseFloat(r[4], 64)
		numbers.Values, classes.Labels = append(numbers.Values, v), append(classes.Labels, int(r[5][0]-'u'))
	}
	return set, numbers, classes
}
