package inlier

import (
	"context"
	"fmt"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/compare"
	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/report"
)

// Breakdown is the job of finding out how much dirt methods bear: the largest angle to the
// true subspace as the share of outliers grows, for several kinds of outliers.
type Breakdown struct {
	Seeds int    `json:"seeds,omitempty"` // data sets per cell; 0: 10
	Seed  uint64 `json:"seed,omitempty"`
}

// BreakdownResult holds one cell per kind, share and method.
type BreakdownResult struct {
	Cells []BreakdownCell

	seeds int
}

// BreakdownCell is the result of one method at one share of one kind of outliers.
type BreakdownCell struct {
	Outliers string  `json:"outliers"`
	Share    float64 `json:"share"`
	Method   string  `json:"method"`
	Mean     float64 `json:"mean_angle"`  // degrees
	Worst    float64 `json:"worst_angle"` // degrees
	Seeds    int     `json:"seeds"`
}

var (
	breakdownKinds  = []string{"scattered", "clustered", "own-subspace"}
	breakdownShares = []float64{0, 0.1, 0.2, 0.3, 0.4, 0.45}
)

// Run makes the data sets and fits every method to each.
func (b Breakdown) Run(ctx context.Context, o Observer) (*BreakdownResult, error) {
	ctx = given.AllOrNothing(ctx)
	r := newReporter("breakdown", o)
	if b.Seeds == 0 {
		b.Seeds = 10
	}
	if b.Seeds < 1 {
		return nil, usage("it is a number of repeats", "--seeds %d is not allowed", b.Seeds)
	}
	result := &BreakdownResult{seeds: b.Seeds}
	for i, kind := range breakdownKinds {
		for j, share := range breakdownShares {
			row, err := breakdownRow(ctx, catalog.Breakdown(), kind, share, b.Seeds, b.Seed)
			if err != nil {
				return nil, err
			}
			result.Cells = append(result.Cells, row...)
			r.send(Event{Phase: "fit", Label: kind, Done: i*len(breakdownShares) + j + 1, Total: len(breakdownKinds) * len(breakdownShares)})
		}
	}
	return result, nil
}

// MarshalJSON writes the cells.
func (b *BreakdownResult) MarshalJSON() ([]byte, error) { return report.JSON(b.Cells) }

// Table lays the cells out, one line per kind and share.
func (b *BreakdownResult) Table() *report.Table {
	return breakdownTable(catalog.Breakdown(), b.Cells, b.seeds)
}

// breakdownRow fits every entrant to the data sets of one cell. All meet the same data.
func breakdownRow(ctx context.Context, entrants []catalog.Entrant, kind string, share float64, seeds int, first uint64) ([]BreakdownCell, error) {
	angles := make([][]float64, seeds) // by seed and entrant
	errs := make([]error, seeds)
	linalg.Parallel(seeds, func(k int) {
		angles[k], errs[k] = breakdownAngles(ctx, entrants, kind, share, first+uint64(k))
	})
	row := make([]BreakdownCell, len(entrants))
	for e := range entrants {
		row[e] = BreakdownCell{Outliers: kind, Share: share, Method: entrants[e].Label, Seeds: seeds}
		for k := range seeds {
			if errs[k] != nil {
				return nil, errs[k]
			}
			row[e].Mean += angles[k][e] / float64(seeds)
			row[e].Worst = max(row[e].Worst, angles[k][e])
		}
	}
	return row, nil
}

// breakdownAngles makes one data set and fits every entrant to it.
func breakdownAngles(ctx context.Context, entrants []catalog.Entrant, kind string, share float64, seed uint64) ([]float64, error) {
	recipe := synthetic.DefaultLowRank()
	recipe.Outliers, recipe.Fraction = kind, share
	made, err := recipe.Generate(seed)
	if err != nil {
		return nil, err
	}
	shared := map[string]string{"components": fmt.Sprint(len(recipe.SDs))}
	angles := make([]float64, len(entrants))
	for e, who := range entrants {
		f, err := compare.Enter(ctx, who, made.Set, shared, catalog.Run{Seed: seed})
		if err != nil {
			return nil, err
		}
		if angles[e], err = f.AngleTo(made.Truth.Basis); err != nil {
			return nil, err
		}
	}
	return angles, nil
}

func breakdownTable(entrants []catalog.Entrant, cells []BreakdownCell, seeds int) *report.Table {
	t := &report.Table{
		Title:   fmt.Sprintf("Largest angle to the true subspace in degrees, mean of %s", words.Plural(seeds, "data set")),
		Columns: []report.Column{{Name: "outliers"}, {Name: "share", Format: "%.0f %%"}},
		Across:  true,
		Notes: []string{"The papers' methods start at ordinary PCA with the papers' parameters; spherical is " + catalog.Default() + " started at",
			"spherical PCA; " + catalog.Default() + " is the default. 90 means that a direction of the inliers is lost."},
	}
	for _, e := range entrants {
		t.Columns = append(t.Columns, report.Column{Name: e.Label, Format: "%.1f", Best: report.Lowest})
	}
	for at := 0; at < len(cells); at += len(entrants) {
		row := []any{cells[at].Outliers, 100 * cells[at].Share}
		for _, c := range cells[at : at+len(entrants)] {
			row = append(row, c.Mean)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
