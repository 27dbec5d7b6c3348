package plot

import (
	"context"
	"fmt"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/report"
)

func convergence() Kind {
	return Kind{
		Name: "convergence", Needs: Needs{Subject: OfModels, Several: true},
		Shows:   "the objective of the fit, step by step",
		Of:      "models that are fitted in steps",
		About:   "The line is broken where the objective rises: there the fit has changed its bandwidth, and objectives at\ndifferent bandwidths do not compare, nor do those of different losses.",
		Example: Example{Of: "hq.npz robust.npz", Out: "convergence.svg"},
		fits:    func(m *fitted) bool { return len(steps(m.Model)) > 1 },
		draw:    func(_ context.Context, j *job) (*Drawing, error) { return drawConvergence(j.models), nil },
	}
}

func drawConvergence(models []*fitted) *Drawing {
	type line struct {
		Model     string          `json:"model"`
		Method    string          `json:"method"`
		Status    string          `json:"status"`
		Objective []report.Number `json:"objective"`
	}
	var traces []report.Trace
	var lines []line
	for _, m := range models {
		t := Trace(m.Model, m.label)
		t.Effective = nil // a model file does not keep it, and a picture is the same for both
		traces = append(traces, t)
		lines = append(lines, line{m.label, m.about.Method, m.about.Status, report.Numbers(t.Objective)})
	}
	title := "Objective, step by step"
	text := "Mean loss at the start and after each step. Where the line is broken the bandwidth has changed."
	if len(models) == 1 {
		title += ": " + models[0].label
		text += fmt.Sprintf(" The fit %s after %s.", models[0].about.Status, words.Plural(models[0].about.Steps, "step"))
	}
	return &Drawing{Title: title, Sections: []Section{{text, report.Convergence(title, traces...)}}, Result: lines}
}

// steps is how a fit went; nil where the model does not tell.
func steps(m catalog.Model) []irls.Step {
	if t, ok := m.(interface{ Trace() []irls.Step }); ok {
		return t.Trace()
	}
	return nil
}

// Trace is how a fit went, for a chart; without steps where the model does not tell.
func Trace(m catalog.Model, name string) report.Trace {
	t := report.Trace{Name: name}
	known := false // whether the stages are; model files do not keep them
	for _, s := range steps(m) {
		t.Objective, t.Stage, t.Effective = append(t.Objective, s.Objective), append(t.Stage, s.Stage), append(t.Effective, s.Effective)
		known = known || s.Stage > 0 || s.Effective > 0
	}
	if known {
		return t
	}
	t.Effective = nil
	stage := 0
	for i, objective := range t.Objective {
		// Within a stage the objective never rises.
		if i > 0 && objective > t.Objective[i-1]*(1+1e-9) {
			stage++
		}
		t.Stage[i] = stage
	}
	return t
}
