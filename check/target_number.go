package check

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/linalg"
)

// numbers doubts numeric targets: those whose error lies beyond the tail of the others'.
func (t *targetTable) numbers(ctx context.Context) ([]Suspicion, error) {
	change, from := t.change(), t.from
	y, taught := mat.NewDense(len(from.taught), 1, nil), make([]float64, len(from.taught))
	values, given := t.v.table.Columns[t.column].Values, from.v.table.Columns[t.column].Values
	for k, i := range from.taught {
		taught[k] = change.Forward(given[from.rows[i]])
		y.Set(k, 0, min(max(taught[k], -50), 50))
	}
	machine := elm.Robust{Options: elm.Options{Seed: t.v.settings.Seed}}
	x := from.matrix(from.taught)
	m, err := machine.Fit(ctx, linalg.FromDense(x), y)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, nil
	}
	predicted, errors := make([]float64, len(t.rows)), make([]float64, len(t.rows))
	err = t.blocks(ctx, func(places []int, x *mat.Dense) error {
		made, err := m.Predict(ctx, x)
		if err != nil {
			return err
		}
		for k, i := range places {
			predicted[i] = made.At(k, 0)
			errors[i] = change.Forward(values[t.rows[i]]) - predicted[i]
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	own, err := m.Predict(ctx, x)
	if err != nil {
		return nil, err
	}
	for k := range taught {
		taught[k] -= own.At(k, 0)
	}
	tails := fitSides(taught)
	for k, e := range taught {
		taught[k] = math.Abs(e)
	}
	reach := quantile(sortedValues(taught), 0.95)
	usual := quantile(sortedValues(taught), 0.5) / 0.6745
	var found []Suspicion
	var far []int // beyond a gap of the errors, too many to be a tail
	between, known := 0, 0
	for i, e := range errors {
		p := tails.p(e)
		switch size := math.Abs(e); {
		case size > 8*usual:
			if far = append(far, t.rows[i]); p <= 0.01 {
				known++
			}
		case size > 4*usual:
			between++
		}
		if p > 0.01 || t.v.obeyed != nil && t.v.obeyed(t.rows[i], t.column) {
			continue
		}
		s := Suspicion{Row: t.rows[i], Column: t.column, P: p, Expected: change.Back(predicted[i]),
			Low: change.Back(predicted[i] - reach), High: change.Back(predicted[i] + reach)}
		column := &t.v.table.Columns[t.column]
		s.Slip = slip(column, values[s.Row], s.Expected, s.Low, s.High)
		s.Why = whyCell(column, asWritten(t.v.table, s.Row, t.column), &Cell{Expected: s.Expected, Low: s.Low, High: s.High, Slip: s.Slip})
		found = append(found, s)
	}
	if n := len(far); n >= fewestMarked && 10*between <= n && 2*known < n {
		t.v.alike = append(t.v.alike, Group{Text: fmt.Sprintf("%s are far in %s from what the other columns tell of it: many mistakes, or another kind of rows.",
			words.Plural(n, "row"), words.Clip(t.v.settings.Target)), Rows: far})
	}
	return found, nil
}

// change is the transformation of the target's column.
func (t *targetTable) change() Transformation {
	for _, f := range t.v.features {
		if f.column == t.column {
			return f.change
		}
	}
	return Transformation{Scale: 1, Lambda: 1, Spread: 1}
}
