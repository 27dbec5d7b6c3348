package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/report"
)

func predictCommand(a *app) *cobra.Command {
	var data dataFlags
	var out string
	var probabilities bool
	c := &cobra.Command{
		Use:   "predict MODEL DATA",
		Short: "Predict a number or a class for every row",
		Long: `Predict for every row: a column "prediction" for regression; for classification a column "label" and
one score column per class.

` + aboutMatching,
		Example: "  inlier predict price.npz new.csv --out predictions.csv",
		Args:    arguments("MODEL", "DATA"),
		RunE: func(c *cobra.Command, args []string) error {
			a.reads(args[0], args[1], data.options.LabelsFile)
			if err := a.plansResults("--out", out); err != nil {
				return err
			}
			p, set, err := a.predictor(c.Context(), args[0], args[1], data)
			if err != nil {
				return err
			}
			made, err := p.Predict(c.Context(), set.X)
			if err != nil {
				return err
			}
			t := predictionTable(made, p.Describe().Classes, probabilities)
			nameRows(t, set.IDs)
			toFile := out != "" && out != "-"
			if toFile {
				if err := a.storeTable(c.Context(), out, t); err != nil {
					return err
				}
				a.note("%s written to %s", plural(len(t.Rows), "row"), out)
			}
			switch {
			case a.json:
				return a.printJSON(struct {
					Method string           `json:"method"`
					Data   string           `json:"data"`
					Rows   []map[string]any `json:"rows"`
				}{p.Describe().Method, set.Name, tableObjects(t)})
			case toFile:
				return nil
			}
			return a.printTable(t, true)
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "", "file to write: .csv, .tsv, .parquet, .npz or .json (default: standard output)")
	c.Flags().BoolVar(&probabilities, "probabilities", false, "also the probability of each class, where the model has them")
	data.register(c)
	return c
}

// predictor loads a model that predicts, and the data it should predict for.
func (a *app) predictor(ctx context.Context, modelPath, dataPath string, data dataFlags) (catalog.Predictor, *dataset.Set, error) {
	m, err := a.loadModel(modelPath)
	if err != nil {
		return nil, nil, err
	}
	p, ok := m.model.(catalog.Predictor)
	if !ok {
		return nil, nil, usage("models that reduce rows have scores: inlier transform", "%s: a %s model does not predict", modelPath, m.about.Method)
	}
	set, err := a.loadFor(ctx, m, dataPath, data, false)
	return p, set, err
}

// nameRows puts a column with the names of the rows before the others.
func nameRows(t *report.Table, ids []string) {
	if ids == nil {
		return
	}
	t.Columns = append([]report.Column{{Name: idColumn(t.Columns)}}, t.Columns...)
	for i, row := range t.Rows {
		t.Rows[i] = append([]any{ids[i]}, row...)
	}
}

// idColumn is "id", or another name where that is taken.
func idColumn(columns []report.Column) string {
	name := "id"
	for slices.ContainsFunc(columns, func(c report.Column) bool { return c.Name == name }) {
		name = "row_" + name
	}
	return name
}

// predictionTable lays predictions out in columns.
func predictionTable(p *catalog.Prediction, classes []string, probabilities bool) *report.Table {
	t := &report.Table{}
	name := func(k int) string {
		if k < len(classes) {
			return classes[k]
		}
		return fmt.Sprint(k)
	}
	n := len(p.Values)
	switch {
	case p.Values != nil:
		t.Columns = []report.Column{{Name: "prediction", Format: "%.6g"}}
	default:
		n = len(p.Labels)
		t.Columns = []report.Column{{Name: "label"}}
		if p.Scores != nil {
			_, k := p.Scores.Dims()
			for j := range k {
				t.Columns = append(t.Columns, report.Column{Name: "score_" + name(j), Format: "%.6g"})
			}
		}
		if probabilities && p.Probabilities != nil {
			_, k := p.Probabilities.Dims()
			for j := range k {
				t.Columns = append(t.Columns, report.Column{Name: "probability_" + name(j), Format: "%.6g"})
			}
		}
	}
	for i := range n {
		var cells []any
		if p.Values != nil {
			cells = append(cells, p.Values[i])
		} else {
			cells = append(cells, name(p.Labels[i]))
			if p.Scores != nil {
				for _, v := range p.Scores.RawRowView(i) {
					cells = append(cells, v)
				}
			}
			if probabilities && p.Probabilities != nil {
				for _, v := range p.Probabilities.RawRowView(i) {
					cells = append(cells, v)
				}
			}
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}
