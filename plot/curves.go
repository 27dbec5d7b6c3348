package plot

import (
	"context"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/judge"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/verdict"
)

// answers are what a model says of rows whose truth is known.
type answers struct {
	model  catalog.Predictor
	about  catalog.Description
	set    *dataset.Set
	made   *catalog.Prediction
	labels []int         // true classes in the order of the model's; nil for a regression
	judged *verdict.Rows // see verdict
	ranked []judge.Area  // how well each class is found; nil until rates has drawn them
}

// ask lets a model answer and refuses one that does not learn a target.
func ask(ctx context.Context, m catalog.Model, set *dataset.Set) (*answers, error) {
	a := &answers{about: m.Describe(), set: set}
	var ok bool
	if a.model, ok = m.(catalog.Predictor); !ok || a.about.Task == catalog.Cluster || set.Target == nil {
		return nil, usage("kind", "inlier plot list MODEL tells which pictures a model has", "--plot draws curves of models that learn a target; %s models do not", a.about.Method)
	}
	var err error
	if a.made, err = a.model.Predict(ctx, set.X); err != nil {
		return nil, err
	}
	if a.made.Values != nil {
		if set.Target.Values == nil {
			return nil, usage("target", "a regression needs numbers", "%s: target %q holds classes, not numbers", set.Name, set.Target.Name)
		}
		return a, nil
	}
	target := *set.Target
	if err := target.Match(a.about.Classes); err != nil {
		return nil, err
	}
	a.labels = target.Labels
	return a, nil
}

// curve draws one aspect of the answers; it may find nothing to draw.
type curve func(ctx context.Context, a *answers) ([]Section, error)

// Curves draws how a model does on data with known truth, as `inlier score` does: residual
// plots, weights and, for one column, the learned function of a regression; ROC,
// precision-recall, confusion and reliability of a classification.
func Curves(ctx context.Context, m catalog.Model, set *dataset.Set, metrics []judge.Metric) (*Drawing, error) {
	ctx = given.Context(ctx)
	a, err := ask(ctx, m, set)
	if err != nil {
		return nil, err
	}
	list := []curve{residualPlots, votes, ownFunction}
	if a.labels != nil {
		list = []curve{rates, confusionMatrix, reliabilityCurve}
	}
	d := a.drawing(metrics)
	d.Heading = "Metrics"
	for _, draw := range list {
		sections, err := draw(ctx, a)
		if err != nil {
			return nil, err
		}
		d.Sections = append(d.Sections, sections...)
	}
	return d, nil
}

// drawing is a picture still without charts.
func (a *answers) drawing(metrics []judge.Metric) *Drawing {
	t := &report.Table{Columns: []report.Column{{Name: "metric"}, {Name: "value"}, {Name: "what it is"}}}
	values := map[string]report.Number{}
	for _, x := range metrics {
		t.Add(x.Name, float64(x.Value), x.Text)
		values[x.Name] = x.Value
	}
	return &Drawing{Title: a.about.Method + " on " + words.Base(a.set.Name), Table: t,
		Result: map[string]any{"method": a.about.Method, "rows": a.set.Rows(), "metrics": values}}
}

// curveKind is a kind that draws some of the Curves of a task.
func curveKind(name, shows, of string, task catalog.Task, draw curve) Kind {
	return Kind{
		Name: name, Shows: shows, Of: of, Needs: Needs{Subject: OfModels, Data: true, Truth: true},
		About:   "`inlier score --plot` draws all such curves of a model at once.",
		Example: Example{Of: "MODEL.npz test.csv", With: [][2]string{{"target", "y"}}, Out: name + ".svg"},
		fits:    func(m *fitted) bool { return m.about.Task == task },
		draw: func(ctx context.Context, j *job) (*Drawing, error) {
			metrics, err := judge.Measure(ctx, j.models[0].Model, j.data)
			if err != nil {
				return nil, err
			}
			a, err := ask(ctx, j.models[0].Model, j.data)
			if err != nil {
				return nil, err
			}
			d := a.drawing(metrics)
			if d.Sections, err = draw(ctx, a); err != nil {
				return nil, err
			}
			if a.ranked != nil {
				d.Result.(map[string]any)["classes"] = a.ranked
			}
			if len(d.Sections) == 0 {
				return nil, usage("kind", "inlier score --plot draws the curves that there are", "%s models give %s nothing to draw on %s", a.about.Method, name, j.data.Name)
			}
			return d, nil
		},
	}
}
