package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset/synthetic"
)

// A picture is asked for in JSON, drawn from a fit in memory, and tells of its progress.
func TestPlot(t *testing.T) {
	made, err := synthetic.Generate("sensors", nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	fit, err := inlier.Fit{Method: "pca-robust", Data: inlier.Data{Set: made.Set}, Parameters: map[string]string{"components": "3"}}.Run(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	var request inlier.Plot
	if err := json.Unmarshal([]byte(`{"kind": "residual-map", "params": {"top": 4}}`), &request); err != nil {
		t.Fatal(err)
	}
	request.Models, request.Data = []inlier.Model{fit.Fitted()}, inlier.Data{Set: made.Set}
	result, err := request.Run(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(result)
	var read struct {
		Kind   string
		Result struct{ Rows []struct{ Row int } }
	}
	if err != nil || json.Unmarshal(text, &read) != nil || read.Kind != "residual-map" || len(read.Result.Rows) != 4 {
		t.Errorf("%s, %v", text, err)
	}
	if svg, err := result.Drawing.Encode("svg", ""); err != nil || !strings.HasPrefix(string(svg), "<") {
		t.Errorf("%d bytes, %v", len(svg), err)
	}

	var phases []string
	last := 0.0
	_, err = inlier.Plot{Kind: "sweep", Names: []string{"pca-robust"}, Data: inlier.Data{Set: made.Set}, Params: map[string][]string{"grid": {"components=1,2"}}}.Run(ctx, func(e inlier.Event) {
		if !slices.Contains(phases, e.Phase) {
			phases = append(phases, e.Phase)
		}
		if e.Phase != "fit" {
			return
		}
		if e.Total != 2 || e.Part < last || e.Part > 1 {
			t.Errorf("%+v after %g", e, last)
		}
		last = e.Part
	})
	if err != nil || !slices.Equal(phases, []string{"read", "draw", "fit"}) || last <= 0.5 {
		t.Errorf("%v: phases %v up to %g", err, phases, last)
	}

	for _, bad := range []inlier.Plot{
		{Kind: "eigenfaces"}, {Kind: "roc", Models: request.Models, Data: request.Data}, {Kind: "residual-map", Models: request.Models, Data: request.Data, Params: map[string][]string{"top": {"-1"}}},
	} {
		_, err := bad.Run(ctx, nil)
		if mistake, ok := inlier.AsError(err); !ok {
			t.Errorf("%s: %v", bad.Kind, err)
		} else if bad.Params != nil && mistake.Parameter != "params.top" {
			t.Errorf("%s: parameter %q", bad.Kind, mistake.Parameter)
		}
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := request.Run(stopped, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled picture: %v", err)
	}
}
