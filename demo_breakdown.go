package inlier

import (
	"context"
	"fmt"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/report"
)

// BreakdownDemo is the second part: how much dirt the methods bear.
type BreakdownDemo struct {
	Seeds int             `json:"seeds"`
	Cells []BreakdownCell `json:"cells"`

	entrants []catalog.Entrant
}

// demoSeeds is the number of data sets per cell: enough to see, few enough to be quick.
const demoSeeds = 3

func runBreakdownDemo(ctx context.Context, seed uint64) (*BreakdownDemo, error) {
	all := catalog.Breakdown()
	d := &BreakdownDemo{Seeds: demoSeeds, entrants: all}
	for _, share := range breakdownShares {
		row, err := breakdownRow(ctx, all, "clustered", share, demoSeeds, seed)
		if err != nil {
			return nil, err
		}
		d.Cells = append(d.Cells, row...)
	}
	return d, nil
}

func (b *BreakdownDemo) Table() *report.Table {
	t := breakdownTable(b.entrants, b.Cells, b.Seeds)
	t.Title = fmt.Sprintf("Outliers in one far cluster: angle to the true subspace in degrees, mean of %s", words.Plural(b.Seeds, "data set"))
	t.Notes = []string{"90 means that a direction of the inliers is lost. The whole study: inlier bench breakdown"}
	t.Columns = t.Columns[1:] // there is one kind of outliers here
	for i := range t.Rows {
		t.Rows[i] = t.Rows[i][1:]
	}
	return t
}

// chart draws the angles against the share of outliers.
func (b *BreakdownDemo) chart() *report.Chart {
	series := make([]report.Series, len(b.entrants))
	for i, c := range b.Cells {
		s := &series[i%len(b.entrants)]
		s.Name, s.Mark = c.Method, report.LineDots
		s.X, s.Y = append(s.X, 100*c.Share), append(s.Y, c.Mean)
	}
	c := report.Lines("How much dirt the methods bear", report.Axis{Label: "share of outliers, all in one far cluster (%)", Min: -1, Max: 46},
		report.Axis{Label: "angle to the true subspace (degrees)", Min: -2, Max: 95}, series...)
	c.Note = "0 degrees is perfect; at 90 degrees a direction of the inliers is lost."
	return c
}
