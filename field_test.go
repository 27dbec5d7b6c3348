package inlier_test

import (
	"context"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/plot"
)

// A mistake in a request is told with the field that holds it, whichever package has found it:
// a page marks that field.
func TestMistakesNameTheirField(t *testing.T) {
	ctx := context.Background()
	data := func(d inlier.Data) inlier.Data {
		d.Reader = strings.NewReader(readings(40))
		return d
	}
	fit, err := inlier.Fit{Data: data(inlier.Data{})}.Run(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	model, absent := fit.Fitted(), inlier.Model{Path: "absent.npz"}
	fits := func(f inlier.Fit) error { _, err := f.Run(ctx, nil); return err }
	tunes := func(j inlier.Tune) error {
		j.Method, j.Data = "relm", data(inlier.Data{Target: "y"})
		_, err := j.Run(ctx, nil)
		return err
	}
	compares := func(j inlier.Compare) error { j.Data = data(j.Data); _, err := j.Run(ctx, nil); return err }
	for _, c := range []struct {
		field string
		err   error
	}{
		{"method", fits(inlier.Fit{Method: "absent", Data: data(inlier.Data{})})},
		{"parameters.componets", fits(inlier.Fit{Parameters: catalog.Parameters{"componets": "2"}, Data: data(inlier.Data{})})},
		{"parameters.components", fits(inlier.Fit{Parameters: catalog.Parameters{"components": "-2"}, Data: data(inlier.Data{})})},
		{"parameters.components", fits(inlier.Fit{Parameters: catalog.Parameters{"components": "9"}, Data: data(inlier.Data{})})},
		{"loss", fits(inlier.Fit{Loss: "absent", Data: data(inlier.Data{})})},
		{"loss", fits(inlier.Fit{Method: "pca", Loss: "huber", Data: data(inlier.Data{})})},
		{"path", fits(inlier.Fit{})},
		{"path", fits(inlier.Fit{Data: inlier.Data{Path: "absent.csv"}})},
		{"target", fits(inlier.Fit{Method: "linear-robust", Data: data(inlier.Data{})})},
		{"target", fits(inlier.Fit{Method: "logistic", Data: data(inlier.Data{})})},
		{"task", fits(inlier.Fit{Method: "linear-robust", Data: data(inlier.Data{Target: "y", Task: "x"})})},
		{"categorical", fits(inlier.Fit{Data: data(inlier.Data{Categorical: "x"})})},
		{"header", fits(inlier.Fit{Data: data(inlier.Data{Header: "x"})})},
		{"delimiter", fits(inlier.Fit{Data: data(inlier.Data{Delimiter: "xyz"})})},
		{"format", fits(inlier.Fit{Data: data(inlier.Data{Format: "x"})})},
		{"shape", fits(inlier.Fit{Data: data(inlier.Data{Shape: "x"})})},
		{"shape", fits(inlier.Fit{Data: data(inlier.Data{Shape: "7x7"})})},
		{"limit", fits(inlier.Fit{Data: data(inlier.Data{Limit: -1})})},
		{"constant", fits(inlier.Fit{Data: data(inlier.Data{Constant: "x"})})},
		{"grid", tunes(inlier.Tune{Grid: []string{"x"}})},
		{"grid", tunes(inlier.Tune{Grid: []string{"lambda=-3"}})},
		{"folds", tunes(inlier.Tune{Folds: 1})},
		{"metric", tunes(inlier.Tune{Metric: "x"})},
		{"methods", compares(inlier.Compare{Methods: []string{"absent"}})},
		{"methods", compares(inlier.Compare{Methods: []string{"absent"}, Data: inlier.Data{Target: "y"}})},
		{"corrupt", compares(inlier.Compare{Corrupt: "absent"})},
		{"model", second(inlier.Judge{Data: data(inlier.Data{})}.Run(ctx, nil))},
		{"model", second(inlier.Judge{Model: absent, Data: data(inlier.Data{})}.Run(ctx, nil))},
		{"model", second(inlier.Inspect{Model: absent}.Run(ctx, nil))},
		{"model", second(inlier.Predict{Model: model, Data: data(inlier.Data{})}.Run(ctx, nil))},
		{"top", second(inlier.Judge{Model: model, Data: data(inlier.Data{}), Top: -3}.Run(ctx, nil))},
		{"name", second(inlier.Generate{Name: "absent"}.Run(ctx, nil))},
		{"spec", second(inlier.Corrupt{Data: data(inlier.Data{}), Spec: "absent:1"}.Run(ctx, nil))},
		{"kind", second(inlier.Plot{Kind: "absent"}.Run(ctx, nil))},
		{"names", second(inlier.Plot{Kind: "sweep", Names: []string{"absent"}, Data: data(inlier.Data{}), Params: plot.Params{"grid": {"components=1,2"}}}.Run(ctx, nil))},
		{"rows", second(inlier.Head{Data: data(inlier.Data{}), Rows: -1}.Run(ctx, nil))},
		{"path", second(inlier.Info{Data: inlier.Data{Path: "absent"}}.Run(ctx, nil))},
	} {
		e, ok := inlier.AsError(c.err)
		if !ok || e.Parameter != c.field {
			t.Errorf("%q is named for a mistake in %s: %v", e.Parameter, c.field, c.err)
		}
	}
}

func second[T any](_ T, err error) error { return err }
