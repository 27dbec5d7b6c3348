package inlier

import (
	"context"
	"time"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/report"
)

// Demo is the job of showing what robust methods are good for, on built-in data of which a
// part is wrong: orders of a shop, readings of a pumping station, rows near a subspace with more and more
// outliers, and pictures of invented faces of which some are covered.
type Demo struct {
	Seed uint64 `json:"seed,omitempty"`
}

// DemoResult is what came out. Its Page shows it with pictures.
type DemoResult struct {
	Check     *CheckDemo     `json:"check"`
	Station   *StationDemo   `json:"station"`
	Breakdown *BreakdownDemo `json:"breakdown"`
	Faces     *FacesDemo     `json:"faces"`
	Path      string         `json:"page"` // where the page was written
	Seconds   report.Number  `json:"seconds"`
}

// classical is the method that the demonstration sets beside the default.
var classical = catalog.Lineups()[0].Classical

// Run fits the methods to the data.
func (d Demo) Run(ctx context.Context, o Observer) (*DemoResult, error) {
	ctx = given.AllOrNothing(ctx)
	r := newReporter("demo", o)
	began := time.Now()
	result := &DemoResult{}
	for k, part := range []struct {
		name string
		run  func() error
	}{
		{"check", func() (err error) { result.Check, err = runCheckDemo(ctx, d.Seed); return err }},
		{"station", func() (err error) { result.Station, err = runStation(ctx, d.Seed); return err }},
		{"breakdown", func() (err error) { result.Breakdown, err = runBreakdownDemo(ctx, d.Seed); return err }},
		{"faces", func() (err error) { result.Faces, err = runFaces(ctx, d.Seed); return err }},
	} {
		r.send(Event{Phase: "fit", Label: part.name, Done: k, Total: 4})
		if err := part.run(); err != nil {
			return nil, err
		}
	}
	result.Seconds = report.Number(time.Since(began).Seconds())
	return result, nil
}
