package file

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/words"
)

// mostLevels bounds the categories of one column: more mean that the column is no
// category but a name or a free text.
const (
	mostLevels       = 1 << 16
	mostOneHotLevels = 1 << 12
)

// learn finds the categories of the text columns, or takes those of the given coder,
// and lays out the columns of the set.
func (p *plan) learn(ctx context.Context, t table, opts *Options) error {
	p.coder = opts.Coder
	if p.coder == nil {
		var err error
		if p.coder, err = p.learnCoder(ctx, t, opts); err != nil {
			return err
		}
	}
	p.job.prepare(len(p.fields))
	if p.direct = !slices.ContainsFunc(p.job.features, func(f int) bool { return p.job.text[f] }); p.direct {
		return p.distinct(opts.Columns != nil)
	}
	features := p.columns
	p.columns = nil
	for i, f := range p.job.features {
		var coding *dataset.Coding
		if p.job.text[f] {
			coding = p.coder.Of(p.fields[f].name)
		}
		p.codings = append(p.codings, coding)
		p.at = append(p.at, len(p.columns))
		if coding != nil {
			p.columns = append(p.columns, coding.Names()...)
		} else {
			p.columns = append(p.columns, features[i])
		}
	}
	if err := opts.checkColumns(p.name, len(p.columns), int64(len(p.columns))); err != nil {
		return err
	}
	return p.distinct(true)
}

// distinct refuses two columns of one name. A file's own names are known to differ, so
// that they need not be compared.
func (p *plan) distinct(renamed bool) error {
	if !renamed {
		return nil
	}
	seen := make(map[string]bool, len(p.columns))
	for _, name := range p.columns {
		if seen[name] {
			return problem(p.name, "two columns would be named %q", name).WithHint("rename the column, or code with {categorical} ordinal")
		}
		seen[name] = true
	}
	return nil
}

// learnCoder goes through the text columns once; nil when there are none.
func (p *plan) learnCoder(ctx context.Context, t table, opts *Options) (*dataset.Coder, error) {
	var texts []int
	for _, f := range p.job.features {
		if p.job.text[f] {
			texts = append(texts, f)
		}
	}
	if len(texts) == 0 {
		return nil, nil
	}
	coder := &dataset.Coder{}
	most := mostLevels
	if opts.Categorical == OneHot {
		most = mostOneHotLevels
	}
	found := make([]dictionary, len(texts))
	pass := (&job{features: texts, target: -1, text: p.job.text}).prepare(len(p.fields))
	err := t.scan(ctx, pass, pass.asTexts(func(c *chunk) error {
		for i, levels := range c.levels {
			for _, level := range levels {
				if err := checkName(p.name, level, "category"); err != nil {
					return err
				}
				found[i].number([]byte(level))
			}
			if len(found[i].names) > most {
				return (&dataset.InputError{File: p.name, Column: p.fields[texts[i]].name,
					Problem: fmt.Sprintf("more than %d different texts are too many categories", most)}).WithHint("leave the column out with {drop}")
			}
		}
		return nil
	}))
	if err != nil {
		return nil, err
	}
	for i, f := range texts {
		if len(found[i].names) == 0 {
			return nil, &dataset.InputError{File: p.name, Column: p.fields[f].name, Problem: "the column has no value at all"}
		}
		levels := slices.Clone(found[i].names)
		dataset.SortLevels(levels)
		if err := p.ask(p.fields[f].name, levels, opts.Categorical); err != nil {
			return nil, err
		}
		coder.Codings = append(coder.Codings, dataset.Coding{Column: p.fields[f].name, Levels: levels, OneHot: opts.Categorical == OneHot})
	}
	return coder, nil
}

// place makes an error point at a row of a chunk.
func (p *plan) place(e *dataset.InputError, c *chunk, row int) *dataset.InputError {
	e.File = p.name
	if c.lines != nil {
		e.Line = c.lines[row]
	} else {
		e.Row = c.first + row + 1
	}
	return e
}

// check refuses infinite values, and missing ones unless they are kept.
func (p *plan) check(c *chunk) error {
	if c.finite {
		return p.checkTarget(c)
	}
	k := len(p.job.features)
	for i, v := range c.x[:c.rows*k] {
		if v-v == 0 || p.keep && math.IsNaN(v) {
			continue
		}
		e := &dataset.InputError{Column: p.fields[p.job.features[i%k]].name, Problem: fmt.Sprintf("%v is not a finite number", v)}
		if math.IsNaN(v) {
			e.Problem = "the value is missing"
			e.Hint = "fill it in or leave the row out; methods that can use missing values say so"
		}
		return p.place(e, c, i/k)
	}
	return p.checkTarget(c)
}

// checkTarget refuses rows whose target is infinite, or missing unless they are kept.
func (p *plan) checkTarget(c *chunk) error {
	for i, v := range c.y {
		if v-v == 0 || p.bare && math.IsNaN(v) {
			continue
		}
		e := &dataset.InputError{Column: p.target.name, Problem: "the target is missing"}
		if math.IsInf(v, 0) {
			e.Problem = fmt.Sprintf("%v is not a finite number", v)
		}
		return p.place(e, c, i)
	}
	return nil
}

// apply codes the rows of a chunk into dst, which has one row of the set after another.
func (p *plan) apply(c *chunk, dst []float64) error {
	if p.direct {
		if c.placed {
			return nil
		}
		copy(dst, c.x[:c.rows*len(p.columns)])
		return nil
	}
	codes := make([][]int, len(p.codings)) // code of each of the chunk's levels
	for f, coding := range p.codings {
		if coding == nil {
			continue
		}
		index := make(map[string]int, len(coding.Levels))
		for i, level := range coding.Levels {
			index[level] = i
		}
		codes[f] = make([]int, len(c.levels[f]))
		for i, level := range c.levels[f] {
			code, ok := index[level]
			if !ok {
				code = -1
			}
			codes[f][i] = code
		}
	}
	k, width := len(p.codings), len(p.columns)
	for i := range c.rows {
		row, out := c.x[i*k:(i+1)*k], dst[i*width:(i+1)*width]
		for f, v := range row {
			coding := p.codings[f]
			if coding == nil {
				out[p.at[f]] = v
				continue
			}
			to := out[p.at[f] : p.at[f]+coding.Width()]
			if p.words != nil && !math.IsNaN(v) && codes[f][int(v)] < 0 {
				v = p.words.Mark(dataset.NewWord{Column: coding.Column, Word: words.Glimpse(c.levels[f][int(v)])})
			}
			if math.IsNaN(v) {
				for j := range to {
					to[j] = v
				}
				continue
			}
			code := codes[f][int(v)]
			if code < 0 {
				e := &dataset.InputError{Column: coding.Column, Problem: fmt.Sprintf("category %s was not among the training rows", quote([]byte(c.levels[f][int(v)])))}
				return p.place(e.WithHint("known are %s", words.Names(coding.Levels)), c, i)
			}
			if clear(to); coding.OneHot {
				to[code] = 1
			} else {
				to[0] = float64(code)
			}
		}
	}
	return nil
}
