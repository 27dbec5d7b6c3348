package server

import (
	"bytes"
	"context"
	"io"
	"net/http"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/report"
)

func predictJSON(ctx context.Context, m inlier.Model, d inlier.Data) (any, error) {
	return inlier.Predict{Model: m, Data: d, Probabilities: true}.Run(ctx, nil)
}

func predictParts(ctx context.Context, m inlier.Model, d inlier.Data, each func(*report.Table) error) error {
	_, err := inlier.Predict{Model: m, Data: d, Probabilities: true}.Stream(ctx, nil, func(p *inlier.PredictResult) error { return each(p.Table()) })
	return err
}

func transformJSON(ctx context.Context, m inlier.Model, d inlier.Data) (any, error) {
	return inlier.Transform{Model: m, Data: d}.Run(ctx, nil)
}

func transformParts(ctx context.Context, m inlier.Model, d inlier.Data, each func(*report.Table) error) error {
	_, err := inlier.Transform{Model: m, Data: d}.Stream(ctx, nil, func(p *inlier.RowsResult) error { return each(p.Table()) })
	return err
}

func judgeJSON(ctx context.Context, m inlier.Model, d inlier.Data) (any, error) {
	return inlier.Judge{Model: m, Data: d, Why: true}.Run(ctx, nil)
}

func judgeParts(ctx context.Context, m inlier.Model, d inlier.Data, each func(*report.Table) error) error {
	_, err := inlier.Judge{Model: m, Data: d}.Stream(ctx, nil, func(v *inlier.JudgeResult) error { return each(v.Table(false)) })
	return err
}

// tableAnswer writes a table in parts, as CSV or as JSON with one object per row.
type tableAnswer struct {
	w     http.ResponseWriter
	json  bool
	begun bool
	rows  int
}

func (a *tableAnswer) add(t *report.Table) error {
	if !a.begun {
		a.begun = true
		kind, open := "text/csv; charset=utf-8", ""
		if a.json {
			kind, open = "application/json", "{\"rows\":["
		}
		a.w.Header().Set("Content-Type", kind)
		if _, err := io.WriteString(a.w, open); err != nil {
			return err
		}
	}
	if !a.json {
		text, err := t.CSV()
		if err != nil {
			return err
		}
		if a.rows > 0 {
			_, text, _ = bytes.Cut(text, []byte("\n")) // the header stands above already
		}
		a.rows += len(t.Rows)
		_, err = a.w.Write(text)
		return err
	}
	for _, row := range t.Objects() {
		text, err := report.JSON(row)
		if err != nil {
			return err
		}
		if a.rows++; a.rows > 1 {
			text = append([]byte(","), text...)
		}
		if _, err := a.w.Write(text); err != nil {
			return err
		}
	}
	return nil
}

func (a *tableAnswer) end() error {
	if !a.begun {
		if err := a.add(&report.Table{}); err != nil {
			return err
		}
	}
	if a.json {
		_, err := io.WriteString(a.w, "]}\n")
		return err
	}
	return nil
}
