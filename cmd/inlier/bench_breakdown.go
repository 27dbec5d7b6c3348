package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/progress"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/report"
)

// breakdownRequest is what `bench breakdown` was asked for.
type breakdownRequest struct{ seeds int }

// breakdownCell is the result of one method at one share of one kind of outliers.
type breakdownCell struct {
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

// breakdownEntrants are the papers' methods, the spherical start, and the default.
func breakdownEntrants() []entrant {
	return append(paperPCA(),
		entrant{"spherical", defaultMethod, map[string]string{"start": "spherical"}},
		entrant{defaultMethod, defaultMethod, nil})
}

func breakdownCommand(a *app) *cobra.Command {
	r := breakdownRequest{seeds: 10}
	c := &cobra.Command{
		Use:   "breakdown",
		Short: "Largest angle to the true subspace as outliers become more",
		Long: `Largest angle in degrees between the fitted and the true subspace, mean over seeds, as the share of
outliers grows. 200 rows, 20 columns; inliers have standard deviations 5, 4, 3 in a random
3-dimensional subspace plus noise 0.3. Outliers are scattered (sd 15 in every direction),
clustered (at distance 40 along one direction, sd 0.5) or in a subspace of their own (sd 12 in
three other directions).

The papers' methods start at ordinary PCA with the papers' own parameters; "spherical" is the
default method started at spherical PCA.`,
		Example: "  inlier bench breakdown --seeds 10",
		Args:    arguments(),
		RunE: func(c *cobra.Command, _ []string) error {
			if r.seeds < 1 {
				return usage("it is a number of repeats", "--seeds %d is not allowed", r.seeds)
			}
			cells, err := a.benchBreakdown(c.Context(), r)
			if err == nil && a.json {
				err = a.printJSON(cells)
			}
			return err
		},
	}
	c.Flags().IntVar(&r.seeds, "seeds", r.seeds, "number of data sets per cell")
	return c
}

func (a *app) benchBreakdown(ctx context.Context, r breakdownRequest) ([]breakdownCell, error) {
	entrants := breakdownEntrants()
	var bar *progress.Bar
	if _, ok := terminal(a.err); ok && !a.quiet {
		bar = progress.New(a.err, "breakdown", nil, a.colour(a.err))
		defer bar.Close()
	}
	var cells []breakdownCell
	all := len(breakdownKinds) * len(breakdownShares)
	for i, kind := range breakdownKinds {
		for j, share := range breakdownShares {
			row, err := breakdownRow(ctx, entrants, kind, share, r.seeds, a.seed)
			if err != nil {
				return nil, err
			}
			cells = append(cells, row...)
			bar.Count(i*len(breakdownShares)+j+1, all, kind)
		}
	}
	if a.json {
		return cells, nil
	}
	bar.Close()
	return cells, a.printTable(breakdownTable(entrants, cells, r.seeds), false)
}

// breakdownRow fits every entrant to the data sets of one cell. All meet the same data.
func breakdownRow(ctx context.Context, entrants []entrant, kind string, share float64, seeds int, first uint64) ([]breakdownCell, error) {
	angles := make([][]float64, seeds) // by seed and entrant
	errs := make([]error, seeds)
	linalg.Parallel(seeds, func(k int) {
		angles[k], errs[k] = breakdownAngles(ctx, entrants, kind, share, first+uint64(k))
	})
	row := make([]breakdownCell, len(entrants))
	for e := range entrants {
		row[e] = breakdownCell{Outliers: kind, Share: share, Method: entrants[e].Label, Seeds: seeds}
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
func breakdownAngles(ctx context.Context, entrants []entrant, kind string, share float64, seed uint64) ([]float64, error) {
	recipe := dataset.DefaultLowRank()
	recipe.Outliers, recipe.Fraction = kind, share
	made, err := recipe.Generate(seed)
	if err != nil {
		return nil, err
	}
	shared := map[string]string{"components": fmt.Sprint(len(recipe.SDs))}
	angles := make([]float64, len(entrants))
	for e, who := range entrants {
		f, err := enter(ctx, who, made.Set, shared, seed)
		if err != nil {
			return nil, err
		}
		if angles[e], err = f.angleTo(made.Truth.Basis); err != nil {
			return nil, err
		}
	}
	return angles, nil
}

func breakdownTable(entrants []entrant, cells []breakdownCell, seeds int) *report.Table {
	t := &report.Table{
		Title:   fmt.Sprintf("Largest angle to the true subspace in degrees, mean of %s", plural(seeds, "data set")),
		Columns: []report.Column{{Name: "outliers"}, {Name: "share", Format: "%.0f %%"}},
		Across:  true,
		Notes: []string{"The papers' methods start at ordinary PCA with the papers' parameters; spherical is " + defaultMethod + " started at",
			"spherical PCA; " + defaultMethod + " is the default. 90 means that a direction of the inliers is lost."},
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
