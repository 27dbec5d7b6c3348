package jobs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/plot"
	"gonum.org/v1/gonum/mat"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset/synthetic"
)

// Fits along the scale that begin where their neighbour ended are those from the family's own start, and reach from a fit that
// listens to few rows to nearly the classical one.
func TestFitsAlongTheScale(t *testing.T) {
	made, err := synthetic.Generate("sensors", nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	data := inlier.Data{Set: made.Set}
	for _, c := range []struct{ method, target, parameter string }{{"", "", "loss"}, {"linear-robust", "power_kw", "loss"}, {"hq-pca", "", "sigma"}} {
		data.Target = c.target
		f := inlier.Fit{Method: c.method, Data: data, Seed: 1}
		m, err := inlier.Monitor{Fit: f, Fits: 13}.Run(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Fits) != 13 || m.Parameter != c.parameter || m.Settled != 4 || m.Fits[4].Loss != m.Loss {
			t.Fatalf("%s: %d fits by %s, settled at %d: %+v", c.method, len(m.Fits), m.Parameter, m.Settled, m.Fits[m.Settled])
		}
		for k, at := range m.Fits {
			if at.Problem != "" || k > 0 && at.Scale <= m.Fits[k-1].Scale || len(m.Votes[k]) != m.Rows {
				t.Errorf("%s: fit %d is %+v", c.method, k, at)
			}
			if k < 3 || k > 6 { // far off the settled scale other local ends are as good
				continue
			}
			again := f
			again.Parameters = catalog.Parameters{}
			if size, chosen := m.Parameters["components"]; chosen {
				again.Parameters["components"] = size
			}
			if again.Loss = at.Loss; c.parameter != "loss" {
				again.Loss, again.Parameters[c.parameter] = "", at.Loss[len("kmpe:p=2,sigma="):]
			}
			cold, err := again.Run(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if off := math.Abs(float64(cold.Effective-at.Effective)) / float64(cold.Effective); off > 0.01 {
				t.Errorf("%s: %s from its neighbour has an effective sample of %v, from its own start of %v", c.method, at.Loss, at.Effective, cold.Effective)
			}
		}
		if narrow, wide := m.Fits[0].Effective, m.Fits[12].Effective; !(narrow < m.Effective && m.Effective < wide) {
			t.Errorf("%s: effective samples %v, %v, %v", c.method, narrow, m.Effective, wide)
		}
		var votes, points bytes.Buffer
		if err := m.WriteVotes(&votes); err != nil || votes.Len() != 13*m.Rows {
			t.Errorf("%s: %d bytes of votes, %v", c.method, votes.Len(), err)
		}
		p, err := m.Points(&points)
		if err != nil || points.Len() != 4*m.Rows*len(p.Columns) || p.Columns[1].Kind != "verdict" || p.Columns[2].Kind != "distance" {
			t.Errorf("%s: %d bytes of points, %v, %+v", c.method, points.Len(), err, p.Columns)
		}
	}
	data.Target = ""
	if m, err := (inlier.Monitor{Fit: inlier.Fit{Method: "pca", Data: data}}).Run(t.Context(), nil); err != nil || len(m.Fits) != 0 {
		t.Errorf("a fit without a scale: %v", err)
	}
}

// Of a large table the fits off the settled scale learn from a part of the rows and judge all: near to what all would say.
func TestLargeTablesAlongTheScale(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 4))
	const n = 210_000
	x := mat.NewDense(n, 3, nil)
	for i := range n {
		z := 3 * draw.NormFloat64()
		x.SetRow(i, []float64{z + draw.NormFloat64(), z + draw.NormFloat64(), draw.NormFloat64()})
		if i%50 == 0 {
			x.Set(i, 2, 40+draw.NormFloat64())
		}
	}
	set := &dataset.Set{Name: "large", X: x, Columns: []string{"a", "b", "c"}}
	f := inlier.Fit{Method: "pca-robust", Data: inlier.Data{Set: set}, Parameters: catalog.Parameters{"components": "1"}, Seed: 1}
	m, err := inlier.Monitor{Fit: f, Fits: 4}.Run(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if m.Sampled != 100_000 || len(m.Fits) != 4 {
		t.Fatalf("%d rows were learned from in %d fits", m.Sampled, len(m.Fits))
	}
	for k, at := range m.Fits {
		if at.Problem != "" || len(m.Votes[k]) != n {
			t.Fatalf("fit %d: %+v", k, at)
		}
		f.Loss = at.Loss
		all, err := f.Run(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		row, worst, sum := 0, 0.0, 0.0
		_, err = inlier.Judge{Model: all.Fitted(), Data: inlier.Data{Set: set}}.Stream(t.Context(), nil, func(part *inlier.JudgeResult) error {
			for _, judged := range part.Rows {
				off := math.Abs(float64(judged.Weight) - float64(m.Votes[k][row]))
				worst, sum = max(worst, off), sum+off
				row++
			}
			return nil
		})
		if err != nil || row != n || worst > 0.1 || sum > 0.01*n { // narrow losses listen to few rows, of a part to fewer
			t.Errorf("%s: %v: votes of %d rows are up to %g from those of a fit of all, in the mean %g", at.Loss, err, row, worst, sum/n)
		}
	}
}

// The picture shows the votes that the job has found, and its numbers are those of the rows in the file.
func TestPictureOfFitsAlongTheScale(t *testing.T) {
	var table strings.Builder
	table.WriteString("x,y\n")
	for i := range 120 {
		y := 2*float64(i%40) + float64(i*i%7)
		switch {
		case i%10 == 9:
			y -= 300
		case i == 4:
			table.WriteString(",5\n") // which is left out
			continue
		}
		fmt.Fprintf(&table, "%d,%g\n", i%40, y)
	}
	data := func() inlier.Data {
		return inlier.Data{Reader: strings.NewReader(table.String()), Target: "y", Tolerant: true}
	}
	made, err := inlier.Plot{Kind: "monitor", Names: []string{"linear-robust"}, Data: data(), Params: plot.Params{}.Set("fits", 5).Set("rows", "1,5,9")}.Run(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := inlier.Monitor{Fit: inlier.Fit{Method: "linear-robust", Data: data()}, Fits: 5}.Run(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(made.Result)
	var got struct {
		Settled int `json:"settled"`
		OfRows  int `json:"of_rows"`
		Rows    []struct {
			Row     int
			Outlier bool
			Weights []float64
		}
	}
	if err == nil {
		err = json.Unmarshal(text, &got)
	}
	if err != nil || got.OfRows != 119 || got.Settled != want.Settled || len(got.Rows) != 3 {
		t.Fatalf("%v: %s", err, text)
	}
	for k, row := range []int{1, 6, 10} { // the fifth is not there
		r := got.Rows[k]
		if r.Row != row || r.Outlier != (row == 10) || len(r.Weights) != 5 {
			t.Errorf("%+v instead of row %d", r, row)
		}
		for f, w := range r.Weights {
			if place := []int{0, 4, 8}[k]; float32(w) != want.Votes[f][place] {
				t.Errorf("row %d, fit %d: %g instead of %g", row, f, w, want.Votes[f][place])
			}
		}
	}
	_, err = inlier.Plot{Kind: "monitor", Names: []string{"pca"}, Data: data()}.Run(t.Context(), nil)
	if e, ok := inlier.AsError(err); !ok || !strings.Contains(e.Problem, "no scale") {
		t.Errorf("a fit without a scale: %v", err)
	}
}

// The fit at the settled scale has the outliers that the fit itself has, also of few rows, which are judged as if not learned from.
func TestTheSettledFitIsTheFit(t *testing.T) {
	draw := rand.New(rand.NewPCG(5, 6))
	x := mat.NewDense(60, 20, nil)
	for i := range 60 {
		z := 3 * draw.NormFloat64()
		for j := range 20 {
			x.Set(i, j, z+draw.NormFloat64())
		}
	}
	x.Set(7, 3, 90)
	for _, method := range []string{"pca-robust", "hq-pca", "tensor-robust"} {
		data := inlier.Data{Set: &dataset.Set{X: x}}
		if method == "tensor-robust" {
			data.Set.Shape = []int{5, 4}
		}
		m, err := inlier.Monitor{Fit: inlier.Fit{Method: method, Data: data}, Fits: 7}.Run(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var rows []int
		for i, out := range m.Outlying[m.Settled] {
			if out {
				rows = append(rows, i+1)
			}
		}
		if fmt.Sprint(rows) != fmt.Sprint(m.OutlierRows) || m.Fits[m.Settled].Outliers != m.Outliers {
			t.Errorf("%s: %v are outliers of the fit, %v (%d) at the settled scale", method, m.OutlierRows, rows, m.Fits[m.Settled].Outliers)
		}
	}
}
