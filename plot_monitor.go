package inlier

import (
	"context"
	"strconv"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/plot"
)

// monitors fits along the scale of the loss what a picture shows.
func (p Plot) monitors(ctx context.Context, in *plot.Input, o Observer) error {
	first := func(name string) string {
		if given := p.Params[name]; len(given) > 0 {
			return given[0]
		}
		return ""
	}
	settings, err := catalog.ParseSettings(p.Params["set"])
	if err != nil {
		return about("params.set", err)
	}
	fits, _ := strconv.Atoi(first("fits")) // which was checked; 0: the usual
	m := Monitor{Fit: Fit{Method: p.Names[0], Data: p.Data, Parameters: settings, Loss: first("loss"), Seed: p.Seed}, Fits: fits}
	made, err := m.Run(ctx, o)
	switch {
	case err != nil:
		return err
	case made.set == nil:
		return usage("--limit takes so many rows", "%s does not fit into memory, and is fitted at one scale alone", made.Data)
	case len(made.Fits) < 2:
		return usage("give one whose loss has a scale; inlier methods lists all", "%s as it was fitted has no scale along which fits could change", made.Method)
	}
	along := &plot.Along{Method: made.Method, Settled: made.Settled, Fits: made.Fits, Votes: made.Votes, Outlier: made.Outlying[made.Settled], Numbers: made.numbers}
	for _, f := range made.Fits {
		along.Scales, along.Counts = append(along.Scales, float64(f.Scale)), append(along.Counts, f.Outliers)
		if f.Problem != "" { // that of its neighbour is drawn
			along.Counts[len(along.Counts)-1] = count(made.Outlying[len(along.Counts)-1])
		}
	}
	in.Data, in.Along = made.set, along
	return nil
}

func count(marks []bool) (n int) {
	for _, is := range marks {
		if is {
			n++
		}
	}
	return n
}
