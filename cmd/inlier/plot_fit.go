package main

import (
	"context"
	"fmt"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/report"
)

// fitKinds are pictures of how a fit went and what it found, from model files alone.
func fitKinds() []plotKind {
	return []plotKind{
		{
			name: "convergence", takes: []string{"MODEL..."},
			shows:   "the objective of the fit, step by step",
			of:      "models that are fitted in steps",
			long:    "The line is broken where the objective rises: there the fit has changed its bandwidth, and objectives at\ndifferent bandwidths do not compare, nor do those of different losses.",
			example: "inlier plot convergence hq.npz robust.npz --out convergence.svg",
			fits:    func(m *opened) bool { return len(traceSteps(m)) > 1 },
			draw: func(_ context.Context, a *app, _ *plotRequest, args []string) (*drawing, error) {
				return a.convergence(args)
			},
		},
		{
			name: "weights", takes: []string{"MODEL"},
			shows:   "the weight of every training row, and how many rows have which weight",
			of:      "models that weigh their training rows",
			example: "inlier plot weights sales.npz --out weights.svg",
			fits:    func(m *opened) bool { return trainingWeights(m) != nil },
			draw: func(_ context.Context, a *app, _ *plotRequest, args []string) (*drawing, error) {
				return a.weightPlot(args[0])
			},
		},
		{
			name: "scree", takes: []string{"MODEL..."},
			shows:   "the variance that each component explains, and the first ones together",
			of:      "models of the PCA family; tensor models mode by mode",
			example: "inlier plot scree pca.npz robust.npz --out scree.svg",
			fits:    func(m *opened) bool { return hasFactors(m) || len(reduction(m).State().Arrays["eigenvalues"].Data) > 0 },
			draw: func(_ context.Context, a *app, _ *plotRequest, args []string) (*drawing, error) {
				return a.screePlot(args)
			},
		},
	}
}

// traceSteps is the trace that a model file keeps: numbers of steps and objectives.
func traceSteps(m *opened) []irls.Step {
	if t, ok := m.model.(interface{ Trace() []irls.Step }); ok {
		return t.Trace()
	}
	return nil
}

func (a *app) convergence(paths []string) (*drawing, error) {
	models, names, err := a.modelsFor("convergence", paths)
	if err != nil {
		return nil, err
	}
	type line struct {
		Model     string   `json:"model"`
		Method    string   `json:"method"`
		Status    string   `json:"status"`
		Objective []number `json:"objective"`
	}
	var traces []report.Trace
	var lines []line
	for k, m := range models {
		t := report.Trace{Name: names[k]}
		stage := 0
		for i, s := range traceSteps(m) {
			// Files do not keep the stages, but within one the objective never rises.
			if i > 0 && s.Objective > t.Objective[i-1]*(1+1e-9) {
				stage++
			}
			t.Objective, t.Stage = append(t.Objective, s.Objective), append(t.Stage, stage)
		}
		traces = append(traces, t)
		lines = append(lines, line{names[k], m.about.Method, m.about.Status, numbers(t.Objective)})
	}
	title := "Objective, step by step"
	text := "Mean loss at the start and after each step. Where the line is broken the bandwidth has changed."
	if len(models) == 1 {
		title += ": " + names[0]
		text += fmt.Sprintf(" The fit %s after %s.", models[0].about.Status, plural(models[0].about.Steps, "step"))
	}
	return &drawing{title: title, sections: []curveSection{{text, report.Convergence(title, traces...)}}, result: lines}, nil
}

// trainingWeights are the weights of the training rows; where every output has its own, a
// row has their mean. Nil when the model keeps none.
func trainingWeights(m *opened) []float64 {
	a, ok := m.model.State().Arrays["weights"]
	if !ok || len(a.Data) == 0 {
		return nil
	}
	if len(a.Shape) != 2 || a.Shape[1] < 1 {
		return a.Data
	}
	rows, outputs := a.Shape[0], a.Shape[1]
	mean := make([]float64, rows)
	for i := range mean {
		for _, w := range a.Data[i*outputs : (i+1)*outputs] {
			mean[i] += w / float64(outputs)
		}
	}
	return mean
}

func (a *app) weightPlot(path string) (*drawing, error) {
	m, err := a.modelFor("weights", path)
	if err != nil {
		return nil, err
	}
	w := trainingWeights(m)
	title := "Weights of the training rows of " + m.about.Method
	text := "The vote of each training row: 1 is a full vote, 0 is none."
	if outputs := m.model.State().Arrays["weights"].Shape; len(outputs) == 2 && outputs[1] > 1 {
		text = fmt.Sprintf("The vote of each training row, the mean over %d outputs: 1 is a full vote, 0 is none.", outputs[1])
	}
	return &drawing{title: title, sections: []curveSection{{text, report.Weights(title, w, lowWeight)}}, result: map[string]any{"method": m.about.Method, "weights": numbers(w)}}, nil
}

func (a *app) screePlot(paths []string) (*drawing, error) {
	models, names, err := a.modelsFor("scree", paths)
	if err != nil {
		return nil, err
	}
	type line struct {
		Model     string   `json:"model"`
		Component string   `json:"mode,omitempty"`
		Variances []number `json:"variances"`
	}
	var spectra []report.Spectrum
	var lines []line
	add := func(name, mode string, values []float64, total float64) {
		shown := name
		if mode != "" {
			shown += ", " + mode
		}
		spectra = append(spectra, report.Spectrum{Name: shown, Values: values, Total: total})
		lines = append(lines, line{name, mode, numbers(values)})
	}
	text := "Shares are of all variance of the regular rows."
	for k, m := range models {
		r := reduction(m)
		if f, ok := r.(factored); ok {
			for mode, v := range f.Parts().Variances {
				add(names[k], fmt.Sprintf("mode %d", mode+1), v, 0)
			}
			text = "Shares of modes are of the variance that the model keeps."
			continue
		}
		values := r.State().Arrays["eigenvalues"].Data
		add(names[k], "", values, explainedTotal(r.Describe(), values))
	}
	title := "Variance explained"
	return &drawing{title: title, sections: []curveSection{{text, report.Scree(title, spectra...)}}, result: lines}, nil
}

// explainedTotal is all variance there is, by the share that the components explain; 0
// when that is not known.
func explainedTotal(d catalog.Description, values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	if share, ok := figure(d, "explained_variance_robust"); ok && share > 0 && share <= 1 {
		return sum / share
	}
	return 0
}
