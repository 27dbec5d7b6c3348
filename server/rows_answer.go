package server

import (
	"bufio"
	"context"
	"net/http"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/report"
)

func predictJSON(ctx context.Context, m inlier.Model, d inlier.Data) (any, error) {
	return inlier.Predict{Model: m, Data: d, Probabilities: true, Gaps: true}.Run(ctx, nil)
}

func predictParts(ctx context.Context, m inlier.Model, d inlier.Data, each func(*part) error) ([]string, error) {
	made, err := inlier.Predict{Model: m, Data: d, Probabilities: true, Gaps: true}.Stream(ctx, nil, func(p *inlier.PredictResult) error { return each(partOf(p.Table())) })
	if err != nil {
		return nil, err
	}
	return made.Remarks(), nil
}

func transformJSON(ctx context.Context, m inlier.Model, d inlier.Data) (any, error) {
	return inlier.Transform{Model: m, Data: d, Gaps: true}.Run(ctx, nil)
}

func transformParts(ctx context.Context, m inlier.Model, d inlier.Data, each func(*part) error) (remarks []string, err error) {
	_, err = inlier.Transform{Model: m, Data: d, Gaps: true}.Stream(ctx, nil, func(p *inlier.RowsResult) error {
		remarks = p.Remarks
		return each(partOf(p.Table()))
	})
	return remarks, err
}

func judgeJSON(ctx context.Context, m inlier.Model, d inlier.Data) (any, error) {
	return inlier.Judge{Model: m, Data: d, Why: true, Gaps: true}.Run(ctx, nil)
}

func judgeParts(ctx context.Context, m inlier.Model, d inlier.Data, each func(*part) error) ([]string, error) {
	_, err := inlier.Judge{Model: m, Data: d, Why: true, Gaps: true, Partly: true}.Stream(ctx, nil, func(v *inlier.JudgeResult) error {
		return each(&part{len(v.Rows), func() *report.Table { return v.Table(true) }, func() []any { // whose reasons are more than a text
			rows := make([]any, len(v.Rows))
			for k := range rows {
				rows[k] = &v.Rows[k]
			}
			return rows
		}})
	})
	return nil, err
}

// part is an answer about some rows, as lines of a table or as objects of JSON.
type part struct {
	rows    int
	table   func() *report.Table
	objects func() []any
}

func partOf(t *report.Table) *part {
	return &part{len(t.Rows), func() *report.Table { return t }, func() []any {
		rows := make([]any, 0, len(t.Rows))
		for _, row := range t.Objects() {
			rows = append(rows, row)
		}
		return rows
	}}
}

// tableAnswer writes a table in parts, as CSV or as JSON with one object per row.
type tableAnswer struct {
	w     http.ResponseWriter
	out   *bufio.Writer // nil: nothing is written yet
	json  bool
	comma bool
}

// begun tells that it is too late for another answer.
func (a *tableAnswer) begun() bool { return a.out != nil }

func (a *tableAnswer) add(p *part) error {
	first := a.out == nil
	if first {
		kind := "text/csv; charset=utf-8"
		if a.json {
			kind = "application/json"
		}
		a.w.Header().Set("Content-Type", kind)
		a.out = bufio.NewWriterSize(a.w, piece)
	}
	if !a.json {
		return a.addLines(p.table(), first)
	}
	if first {
		_, _ = a.out.WriteString(`{"rows":[`) // the first error stays with the writer
	}
	for _, row := range p.objects() {
		text, err := report.JSON(row)
		if err != nil {
			return err
		}
		if a.comma {
			_ = a.out.WriteByte(',')
		}
		a.comma = true
		if _, err := a.out.Write(text); err != nil {
			return err
		}
	}
	return nil
}

// addLines writes rows as CSV, below the header where they are the first.
func (a *tableAnswer) addLines(t *report.Table, first bool) error {
	text, err := t.CSV()
	if err == nil && !first {
		var head []byte
		head, err = (&report.Table{Columns: t.Columns}).CSV()
		text = text[len(head):]
	}
	if err != nil {
		return err
	}
	_, err = a.out.Write(text)
	return err
}

func (a *tableAnswer) end(remarks []string) error {
	if a.out == nil {
		if err := a.add(partOf(&report.Table{})); err != nil {
			return err
		}
	}
	if a.json {
		_, _ = a.out.WriteString("]")
		if text, err := report.JSON(remarks); err == nil && remarks != nil {
			_, _ = a.out.WriteString(`,"remarks":` + string(text))
		}
		_, _ = a.out.WriteString("}\n")
	}
	return a.out.Flush()
}
