package judge

import (
	"math"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/verdict"
)

func TestOutlyingnessOfMarginsHasASign(t *testing.T) {
	o := &verdict.Rows{Residual: []float64{2, -0.5, 0.1, -3}, Label: []int{0, 1, 0, 1}}
	order := []int{3, 1, 2, 0}
	for k := range order[1:] {
		if a, b := outlyingness(o, order[k]), outlyingness(o, order[k+1]); !(a > b) {
			t.Errorf("margin %v ranks %v, margin %v ranks %v", o.Residual[order[k]], a, o.Residual[order[k+1]], b)
		}
	}
	o.OrthogonalDistance, o.OrthogonalCutoff = []float64{8, 1, 1, 1}, 2
	if outlyingness(o, 0) <= outlyingness(o, 1) || outlyingness(o, 0) != 3 {
		t.Errorf("a row at four cut-offs from the subspace ranks %v", outlyingness(o, 0))
	}
	signed := &verdict.Rows{Residual: []float64{-4, 3}, ResidualCutoff: 2.5}
	if outlyingness(signed, 0) <= outlyingness(signed, 1) {
		t.Error("residuals of a regression are ranked by sign")
	}
}

func TestReasons(t *testing.T) {
	row := []float64{10, 20, 30, 40}
	columns := []string{"a", "b", "c"}
	got := reasons(row, []float64{1, -4, 0, 0.1}, 0, columns, 5)
	if len(got) != 1 || got[0].Column != "b" || got[0].Contribution != -4 || got[0].Value != 20 {
		t.Errorf("one column explains nine tenths, but got %+v", got)
	}
	got = reasons(row, []float64{1, -2, 0, 1.5}, 0, columns, 2)
	if len(got) != 2 || got[0].Column != "b" || got[1].Column != "column 4" {
		t.Errorf("got %+v", got)
	}
	if share := 4 / 7.25; math.Abs(float64(got[0].Share)-share) > 1e-12 {
		t.Errorf("share is %g, want %g", got[0].Share, share)
	}
	if got := reasons(row, make([]float64, 4), 0, columns, 3); len(got) != 0 {
		t.Errorf("nothing contributes, but got %+v", got)
	}
}

func TestReasonsOfHugeNumbers(t *testing.T) {
	got := reasons([]float64{1e300, 2}, []float64{1e300, -1}, 1e300, []string{"a", "b"}, 5)
	if len(got) != 1 || got[0].Column != "a" || got[0].Share != 1 {
		t.Errorf("got %+v", got)
	}
}

// Rows that are wrong come before rows that are merely far, whatever the distances.
func TestWrongRowsComeFirst(t *testing.T) {
	regression := &verdict.Rows{Residual: []float64{0.1, 3, -9, 1}, ResidualCutoff: 2.5, ScoreDistance: []float64{500, 1, 40, 2}, ScoreCutoff: 3, Outlier: []bool{false, true, true, false}}
	subspace := &verdict.Rows{OrthogonalDistance: []float64{0, 2, 5, 0}, OrthogonalCutoff: 1, ScoreDistance: []float64{1e9, 0, 9, 1}, ScoreCutoff: 3, Outlier: []bool{true, true, true, false}}
	for name, c := range map[string]struct {
		o    *verdict.Rows
		want []int
	}{"regression": {regression, []int{3, 2, 4, 1}}, "subspace": {subspace, []int{3, 2, 1, 4}}} {
		v := &Verdict{}
		for i := range c.o.Outlier {
			v.Rows = append(v.Rows, Row{Row: i + 1, far: outlyingness(c.o, i), grave: graveness(c.o, i)})
		}
		var got []int
		for _, row := range v.Select(false, 1<<40) {
			got = append(got, row.Row)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: the order is %v, want %v", name, got, c.want)
		}
	}
}
