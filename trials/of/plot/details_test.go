package plot

import (
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/plot"
	"github.com/inlier-ml/inlier/report"
)

// told is a model of which only the steps are known.
type told struct {
	catalog.Model
	steps []irls.Step
}

func (m told) Trace() []irls.Step { return m.steps }

// Stages that a model file does not keep are found by where the objective rises.
func TestTraceFindsStages(t *testing.T) {
	objectives := []float64{5, 4, 4, 6, 3, 3.5}
	var kept, live []irls.Step
	for i, v := range objectives {
		kept = append(kept, irls.Step{Number: i, Objective: v})
		live = append(live, irls.Step{Number: i, Objective: v, Stage: i / 2, Effective: 9})
	}
	if got := plot.Trace(told{steps: kept}, "m"); !slices.Equal(got.Stage, []int{0, 0, 0, 1, 1, 2}) || got.Effective != nil {
		t.Errorf("found %+v", got)
	}
	if got := plot.Trace(told{steps: live}, "m"); !slices.Equal(got.Stage, []int{0, 0, 1, 1, 2, 2}) || got.Effective[0] != 9 {
		t.Errorf("lost %+v", got)
	}
}

// Drawing does not change what it draws from: the same drawing makes the same file twice.
func TestEncodeIsRepeatable(t *testing.T) {
	chart := report.Lines("A line", report.Axis{}, report.Axis{}, report.Series{X: []float64{0, 1}, Y: []float64{1, 2}})
	d := &plot.Drawing{Title: "A line", Sections: []plot.Section{{"What it shows.", chart}}}
	var files [][]byte
	for range 2 {
		if _, err := d.Encode("html", ""); err != nil {
			t.Fatal(err)
		}
		file, err := d.Encode("svg", "")
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	if string(files[0]) != string(files[1]) || chart.Note != "" || chart.Title == "" {
		t.Error("the chart was changed")
	}
	if _, err := d.Encode("gif", ""); err == nil {
		t.Error("there are no pictures of this form")
	}
}
