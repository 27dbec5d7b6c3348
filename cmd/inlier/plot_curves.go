package main

import (
	"context"
	"slices"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/judge"
	"github.com/inlier-ml/inlier/report"
)

// outlierMapKind is what `outliers --plot` draws.
func outlierMapKind() plotKind {
	return plotKind{
		name: "outlier-map", takes: []string{"MODEL", "DATA"},
		shows:   "distance within the subspace and from it, with both cut-offs: the kinds of outliers",
		of:      "models of the PCA family and tensor models",
		example: "inlier plot outlier-map sales.npz sales.csv --out map.svg",
		fits: func(m *opened) bool {
			_, ok := m.model.(catalog.Detector)
			return ok && m.about.Task == catalog.Reduce
		},
		draw: func(ctx context.Context, a *app, r *plotRequest, args []string) (*drawing, error) {
			m, err := a.modelFor("outlier-map", args[0])
			if err != nil {
				return nil, err
			}
			set, err := a.loadFor(ctx, m, args[1], r.data, false)
			if err != nil {
				return nil, err
			}
			v, err := judge.All(ctx, m.model.(catalog.Detector), set, false)
			if err != nil {
				return nil, err
			}
			chart, err := v.Map()
			if err != nil {
				return nil, err
			}
			return &drawing{title: chart.Title, sections: []curveSection{{"", chart}}, result: v}, nil
		},
	}
}

// curveKinds are single charts of what `score --plot` draws together.
func curveKinds() []plotKind {
	regresses := func(m *opened) bool { return m.about.Task == catalog.Regress }
	classifies := func(m *opened) bool { return m.about.Task == catalog.Classify }
	kind := func(name, shows, of string, fits func(m *opened) bool, titles ...string) plotKind {
		return plotKind{
			name: name, takes: []string{"MODEL", "DATA"}, shows: shows, of: of, fits: fits,
			long:    "`inlier score --plot` draws all such curves of a model at once.",
			example: "inlier plot " + name + " MODEL.npz test.csv --target y --out " + name + ".svg",
			draw: func(ctx context.Context, a *app, r *plotRequest, args []string) (*drawing, error) {
				return a.curvePlot(ctx, r, name, titles, args)
			},
		}
	}
	return []plotKind{
		kind("residuals", "the residual plots of robust regression", "regressions", regresses, "Residual plots"),
		{
			name: "function", takes: []string{"MODEL...", "DATA"},
			shows:   "the functions that models have learned, over the rows",
			of:      "regressions on a single column",
			example: "inlier plot function relm.npz robust.npz sinc.csv --target y --out functions.svg",
			fits:    func(m *opened) bool { return regresses(m) && m.about.Columns == 1 },
			draw: func(ctx context.Context, a *app, r *plotRequest, args []string) (*drawing, error) {
				return a.functions(ctx, r, args)
			},
		},
		kind("roc", "ROC and precision-recall of each class", "classifiers", classifies, "ROC curve", "Precision and recall"),
		kind("confusion", "true against given classes", "classifiers", classifies, "Confusion matrix"),
		kind("reliability", "how often probabilities come true", "classifiers with probabilities", classifies, "Reliability of the probabilities"),
	}
}

// curvePlot picks charts of `score --plot` by their titles.
func (a *app) curvePlot(ctx context.Context, r *plotRequest, kind string, titles, args []string) (*drawing, error) {
	m, err := a.modelFor(kind, args[0])
	if err != nil {
		return nil, err
	}
	set, err := a.loadFor(ctx, m, args[1], r.data, true)
	if err != nil {
		return nil, err
	}
	metrics, err := judge.Measure(ctx, m.model, set)
	if err != nil {
		return nil, err
	}
	sections, err := curveSections(ctx, m.model, set)
	if err != nil {
		return nil, err
	}
	sections = slices.DeleteFunc(sections, func(s curveSection) bool { return !slices.Contains(titles, s.chart.Title) })
	if len(sections) == 0 {
		return nil, usage("inlier score --plot draws the curves that there are", "a %s model gives %s nothing to draw on %s", m.about.Method, kind, set.Name)
	}
	t := &report.Table{Columns: []report.Column{{Name: "metric"}, {Name: "value"}, {Name: "what it is"}}}
	values := map[string]number{}
	for _, x := range metrics {
		t.Add(x.Name, float64(x.Value), x.Text)
		values[x.Name] = x.Value
	}
	title := m.about.Method + " on " + shortName(set.Name)
	return &drawing{title: title, sections: sections, table: t, result: map[string]any{"method": m.about.Method, "rows": set.Rows(), "metrics": values}}, nil
}

// functions draws what one or more models predict over the range of their only column.
func (a *app) functions(ctx context.Context, r *plotRequest, args []string) (*drawing, error) {
	paths := args[:len(args)-1]
	models, names, err := a.modelsFor("function", paths)
	if err != nil {
		return nil, err
	}
	if err := sameColumns(models, paths); err != nil {
		return nil, err
	}
	set, err := a.loadFor(ctx, models[0], args[len(args)-1], r.data, true)
	if err != nil {
		return nil, err
	}
	if set.Target == nil || set.Target.Values == nil {
		return nil, usage("--target names a column of numbers", "%s has no numbers to draw the functions over", set.Name)
	}
	type line struct {
		Model   string            `json:"model"`
		X       []number          `json:"x"`
		Y       []number          `json:"y"`
		Metrics map[string]number `json:"metrics"`
	}
	var curves []report.Series
	var lines []line
	t := &report.Table{Columns: []report.Column{{Name: "model"}, {Name: "rmse", Format: "%.4g", Best: report.Lowest}, {Name: "median_ae", Format: "%.4g", Best: report.Lowest}},
		Notes: []string{"rmse, median_ae: root mean squared and median absolute error on these rows."}}
	for k, m := range models {
		s, err := functionOf(ctx, m.model.(catalog.Predictor), names[k], onlyColumn(set.X))
		if err != nil {
			return nil, err
		}
		metrics, err := judge.Measure(ctx, m.model, set)
		if err != nil {
			return nil, err
		}
		values := map[string]number{}
		for _, x := range metrics {
			values[x.Name] = x.Value
		}
		curves, lines = append(curves, s), append(lines, line{names[k], numbers(s.X), numbers(s.Y), values})
		t.Add(names[k], float64(values["rmse"]), float64(values["median_ae"]))
	}
	low, high := bulk(slices.Sorted(slices.Values(set.Target.Values)))
	title := "Functions learned from " + set.Columns[0]
	chart := report.Curve(title, report.Axis{Label: set.Columns[0]}, report.Axis{Label: set.Target.Name, Min: low, Max: high},
		report.Series{Name: "rows", X: onlyColumn(set.X), Y: set.Target.Values}, curves...)
	return &drawing{title: title, table: t, result: lines,
		sections: []curveSection{{"What the models predict over the range of the only column. Rows far above or below are outside the picture.", chart}}}, nil
}
