package linalg

import (
	"context"
	"sync"

	"gonum.org/v1/gonum/mat"
)

// Work is a [Pass] that can be made in tasks, runs of its stripes, by whoever has the rows.
type Work struct {
	Stripes int
	// Rows are those of stripes first to last-1: from the first of them up to, and without, the second.
	Rows func(first, last int) (from, to int)
	// Fresh is an accumulator that has met no rows.
	Fresh func() Finding
	// Task makes the pass over stripes first to last-1 alone.
	Task func(ctx context.Context, first, last int) (Finding, error)
	// Merge takes in what the stripes that follow have found.
	Merge func(into, from Finding)
}

// Elsewhere is a Source whose passes with a [Finding] others make, or some rows of them.
type Elsewhere interface {
	Source
	// Elsewhere returns what a pass over all rows finds; nil has the pass made here.
	Elsewhere(ctx context.Context, w *Work) (Finding, error)
	// Between is the source of rows first to last-1, which are numbered from 0 there.
	Between(first, last int) Source
}

// elsewhere asks the source to have a pass made.
func elsewhere[A any](ctx context.Context, src Source, plan stripes, fresh func() A, add func(A, int, *mat.Dense), merge func(into, from A)) (out A, made bool, err error) {
	e, ok := src.(Elsewhere)
	if !ok {
		return out, false, nil
	}
	if _, ok := any(fresh()).(Finding); !ok {
		return out, false, nil
	}
	rows := func(first, last int) (from, to int) {
		from, _ = plan.span(first)
		_, to = plan.span(last - 1)
		return from, to
	}
	found, err := e.Elsewhere(ctx, &Work{
		Stripes: plan.count(),
		Rows:    rows,
		Fresh:   func() Finding { return any(fresh()).(Finding) },
		Merge:   func(into, from Finding) { merge(into.(A), from.(A)) },
		Task: func(ctx context.Context, first, last int) (Finding, error) {
			from, to := rows(first, last)
			part := stripes{rows: to - from, block: plan.block, stripe: plan.stripe}
			f := newFold(part.count(), merge)
			passStream(ctx, e.Between(from, to), part, f, fresh, func(acc A, first int, block *mat.Dense) { add(acc, from+first, block) })
			acc, err := f.result()
			if err != nil {
				return nil, err
			}
			return any(acc).(Finding), nil
		},
	})
	if found == nil || err != nil {
		return out, err != nil, err
	}
	return found.(A), true, nil
}

func newFold[A any](count int, merge func(into, from A)) *fold[A] {
	f := &fold[A]{count: count, merge: merge, ready: map[int]A{}}
	f.changed = sync.NewCond(&f.lock)
	return f
}

// Elsewhere asks the source.
func (c *changed) Elsewhere(ctx context.Context, w *Work) (Finding, error) {
	if e, ok := c.Source.(Elsewhere); ok {
		return e.Elsewhere(ctx, w)
	}
	return nil, nil
}

// Between is that of the source, changed. Only a source whose passes are made elsewhere is asked.
func (c *changed) Between(first, last int) Source {
	return &changed{Source: c.Source.(Elsewhere).Between(first, last), needs: c.needs, change: c.change}
}
