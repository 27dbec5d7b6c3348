package plot

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/report"
)

func monitor() Kind {
	return Kind{
		Name: "monitor", Needs: Needs{Subject: OfMethods, Data: true, Along: true},
		Shows: "the vote of every row in fits along the scale of the loss, from a narrow one to nearly the classical fit",
		Of:    "methods whose loss has a scale, or that have sigma or cutoff",
		About: `The method is fitted at the scale that it settles on, and from a quarter to 16 times of it, each fit from the votes of its
neighbour. Rows without a vote at every scale are outliers whatever the scale; many that change at once mean another fit.
Of many rows some are drawn: outliers at the settled scale up to a half, and others evenly.`,
		Params: []Param{
			{Name: "set", Kind: catalog.Text, Several: true, Meaning: "parameter of the method, key=value; may be repeated"},
			{Name: "loss", Kind: catalog.Text, Meaning: "loss of a method that takes one; inlier losses lists them"},
			{Name: "fits", Kind: catalog.Integer, Min: 3, Max: 201, Range: "it is an integer from 3 to 201", Default: "25", Meaning: "fits along the scale"},
			{Name: "rows", Kind: catalog.Text, Default: "some of all", Meaning: "rows to show, such as 1,5,20-23"},
		},
		Example: Example{Of: "pca-robust sensors.csv", Out: "monitor.svg"},
		draw:    drawMonitor,
	}
}

// Along is what a picture of fits along the scale of a loss is drawn from.
type Along struct {
	Method  string
	Settled int // which of the fits is at the scale that the method settles on
	Fits    any // what is known of each, fit for JSON
	Scales  []float64
	Counts  []int       // of outliers
	Votes   [][]float32 // of the rows, for each of the fits
	Outlier []bool      // at the settled scale
	Numbers []float64   // of the rows in the file; nil: they are counted
}

// mostPaths is how many rows are drawn.
const mostPaths = 200

// monitoredRow is one line of the picture.
type monitoredRow struct {
	Row     int             `json:"row"` // in the file, from 1
	Outlier bool            `json:"outlier"`
	Weights []report.Number `json:"weights"` // in the order of the fits
}

func drawMonitor(_ context.Context, j *job) (*Drawing, error) {
	a := j.along
	if a == nil {
		return nil, usage("kind", "the job inlier.Plot makes them", "a picture of kind %q needs fits along the scale", j.kind.Name)
	}
	rows, err := parseRows(j.text("rows"), len(a.Outlier))
	if err != nil {
		return nil, err
	}
	text := "Each line is a row: its vote from 0 to 1 against the scale of the loss. " + words.Plural(a.Counts[a.Settled], "row") + " " + words.Are(a.Counts[a.Settled]) + " outliers at the scale that the method settles on, which is marked."
	if rows == nil {
		if rows = somePaths(a.Outlier, mostPaths); len(rows) < len(a.Outlier) {
			text += fmt.Sprintf(" %d of %s are drawn, every outlier up to a half of them and others evenly.", len(rows), words.Plural(len(a.Outlier), "row"))
		}
	}
	title := "Votes of " + words.Base(j.data.Name) + " along the scale, by " + a.Method
	lines := make([]monitoredRow, len(rows))
	series := make([]report.Series, 0, len(rows)+1)
	named := map[bool]bool{}
	for k, i := range rows {
		votes := make([]float64, len(a.Scales))
		for f := range votes {
			votes[f] = float64(a.Votes[f][i])
		}
		lines[k] = monitoredRow{Row: i + 1, Outlier: a.Outlier[i], Weights: report.Numbers(votes)}
		if a.Numbers != nil {
			lines[k].Row = int(a.Numbers[i])
		}
		s := report.Series{X: a.Scales, Y: votes, Mark: report.Line, Color: 1}
		if a.Outlier[i] {
			s.Color = 2
		}
		if !named[a.Outlier[i]] {
			s.Name, named[a.Outlier[i]] = map[bool]string{false: "regular rows", true: "outliers at the settled scale"}[a.Outlier[i]], true
		}
		series = append(series, s)
	}
	slices.SortStableFunc(series, func(a, b report.Series) int { return cmp.Compare(a.Color, b.Color) }) // outliers on top
	at := a.Scales[a.Settled]
	series = append(series, report.Series{Name: "settled", X: []float64{at, at}, Y: []float64{0, 1}, Mark: report.Line, Dashed: true, Color: 3})
	counts := make([]float64, len(a.Counts))
	for k, n := range a.Counts {
		counts[k] = float64(n)
	}
	scale := report.Axis{Label: "scale of the loss", Log: true}
	return &Drawing{Title: title, Sections: []Section{
		{text, report.Lines("Votes", scale, report.Axis{Label: "vote", Min: 0, Max: 1}, series...)},
		{"How many rows are outliers at each scale.", report.Lines("Outliers", scale, report.Axis{Label: "outliers", Zero: true}, report.Series{X: a.Scales, Y: counts, Mark: report.Line, Color: 2})},
	}, Result: map[string]any{"method": a.Method, "of_rows": len(a.Outlier), "settled": a.Settled, "fits": a.Fits, "rows": lines}}, nil
}

// somePaths are the rows that are drawn, in order: outliers evenly up to a half, and others evenly.
func somePaths(outlier []bool, most int) []int {
	var of [2][]int
	for i, out := range outlier {
		k := 0
		if out {
			k = 1
		}
		of[k] = append(of[k], i)
	}
	var rows []int
	far := evenly(len(of[1]), max(most/2, most-len(of[0])))
	for _, k := range far {
		rows = append(rows, of[1][k])
	}
	for _, k := range evenly(len(of[0]), most-len(far)) {
		rows = append(rows, of[0][k])
	}
	slices.Sort(rows)
	return rows
}
