package file

import (
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset"
)

// targets collects the target of chunk after chunk.
type targets struct {
	name   string
	task   dataset.Task
	text   bool
	values []float64 // numbers, or indices into seen
	seen   dictionary
}

func newTargets(p *plan, opts *Options) *targets {
	if p.target == nil {
		return nil
	}
	return &targets{name: p.target.name, task: opts.Task, text: p.target.kind == dataset.Text}
}

func (t *targets) add(c *chunk) { t.values = t.coded(t.values, c) }

// coded appends the numbers of a chunk, or the indices of its classes.
func (t *targets) coded(values []float64, c *chunk) []float64 {
	if !t.text {
		return append(values, c.y[:c.rows]...)
	}
	code := slices.Repeat([]float64{-1}, len(c.yLevels))
	for _, v := range c.y[:c.rows] {
		if math.IsNaN(v) { // a row of no class
			values = append(values, v)
			continue
		}
		level := int(v)
		if code[level] < 0 { // classes without a row are no classes
			code[level] = t.seen.number([]byte(c.yLevels[level]))
		}
		values = append(values, code[level])
	}
	return values
}

// finish sorts the classes and decides whether numbers are classes too.
func (t *targets) finish() *dataset.Target {
	if t.text {
		return dataset.CodedTarget(t.name, t.seen.names, t.values)
	}
	return dataset.NumberTarget(t.name, t.values, t.task)
}
