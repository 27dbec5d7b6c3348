package inlier

import (
	"context"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/plot"
)

// Plot is the job of drawing a picture of models, of what they make of data, of methods
// over their parameters, or of losses. [plot.Kinds] tells what each kind needs.
type Plot struct {
	Kind   string      `json:"kind"`
	Models []Model     `json:"models,omitempty"`
	Names  []string    `json:"names,omitempty"` // of methods, or losses
	Data   Data        `json:"data"`
	Params plot.Params `json:"params,omitempty"` // those that are not the defaults
	Seed   uint64      `json:"seed,omitempty"`
}

// PlotResult is a picture. Its Drawing makes the file: see [plot.Drawing.Encode].
type PlotResult struct {
	Kind   string `json:"kind"`
	Title  string `json:"title"`
	Result any    `json:"result"` // the numbers behind it

	Drawing *plot.Drawing `json:"-"`
}

// Run reads models and data and draws.
func (p Plot) Run(ctx context.Context, o Observer) (*PlotResult, error) {
	ctx = given.AllOrNothing(ctx)
	kind, err := plot.Lookup(p.Kind)
	if err != nil {
		return nil, err
	}
	if model := p.checkModel(ctx, kind); model != "" {
		return p.drawCheck(ctx, model, o)
	}
	r := newReporter("plot", o)
	in := plot.Input{Names: p.Names, Params: p.Params, Seed: p.Seed, Observe: r.draws()}
	var first *Opened
	for _, m := range p.Models {
		opened, err := m.Open()
		if err != nil {
			return nil, about("models", err)
		}
		if first == nil {
			first = opened
		}
		in.Models = append(in.Models, plot.Model{Model: opened.Model, Name: opened.Name, Unnamed: opened.Input.Unnamed})
	}
	if err := kind.Check(in); err != nil {
		return nil, err
	}
	switch {
	case kind.Needs.Along:
		if err := p.monitors(ctx, &in, o); err != nil {
			return nil, err
		}
	case kind.Needs.Data:
		if in.Data, err = p.read(ctx, kind, in, first, r); err != nil {
			return nil, err
		}
	}
	r.phase("draw")
	d, err := kind.Draw(ctx, in)
	if err != nil {
		return nil, err
	}
	return &PlotResult{Kind: kind.Name, Title: d.Title, Result: d.Result, Drawing: d}, nil
}

// read reads the table: for a model its columns, for methods as a fit does.
func (p Plot) read(ctx context.Context, kind plot.Kind, in plot.Input, m *Opened, r *reporter) (*dataset.Set, error) {
	if m != nil {
		return m.read(ctx, p.Data, kind.Needs.Truth, r)
	}
	method, err := catalog.Lookup(p.Names[0])
	if err != nil {
		return nil, about("names", err)
	}
	return p.Data.read(ctx, needs{Missing: kind.AllowsMissing(in), Varied: true, Method: method}, r)
}

// draws passes on how far a picture of many fits has come; nil when nobody looks.
func (r *reporter) draws() func(plot.Progress) {
	if r.observe == nil {
		return nil
	}
	var fit func(irls.Step)
	return func(p plot.Progress) {
		e := Event{Phase: "fit", Label: p.Label, Done: p.Done, Total: p.Total}
		if p.Step == nil {
			r.send(e)
			fit = r.steps(e, 0, 0)
			return
		}
		fit(*p.Step)
	}
}
