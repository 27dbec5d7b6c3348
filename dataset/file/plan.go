package file

import (
	"slices"
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier/internal/suggest"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/words"
)

// plan says how the columns of a file become the columns of a set.
type plan struct {
	name    string // of the file, for messages
	job     *job
	fields  []field
	columns []string          // of the set
	codings []*dataset.Coding // per feature; nil for numbers
	at      []int             // first column of the set, per feature
	direct  bool              // rows are taken over as they are
	keep    bool              // missing values are kept
	bare    bool              // missing targets are kept
	words   *dataset.NewWords // that are marked; nil: they are refused
	target  *field            // nil: none
	coder   *dataset.Coder
	text    []string       // columns that the user called categories
	index   map[string]int // of the fields by name; nil before the first search
}

func isLabelName(name string) bool {
	switch strings.ToLower(name) {
	case "label", "labels", "target", "class", "y":
		return true
	}
	return false
}

// newPlan chooses the target and the features. Codings are filled in by learn.
func newPlan(name string, t table, opts *Options) (*plan, error) {
	p := &plan{name: name, fields: t.fields(), keep: opts.Missing == MissingKeep, bare: opts.Bare}
	if opts.NewWords {
		p.words = &dataset.NewWords{}
	}
	p.job = &job{target: -1, text: make([]bool, len(p.fields))}
	if err := p.chooseTarget(t, opts); err != nil {
		return nil, dataset.In("target", err)
	}
	names, err := p.chooseFeatures(t, opts)
	if err != nil {
		return nil, err
	}
	p.columns = names
	for _, text := range opts.Text {
		k, err := p.find(text)
		if err != nil {
			return nil, dataset.In("text", err)
		}
		p.text = append(p.text, p.fields[k].name)
		if k == p.job.target {
			if opts.Task == dataset.TaskRegression {
				continue // whose target is numbers
			}
			p.target.kind = dataset.Text
		}
		p.job.text[k] = true
	}
	for _, f := range p.job.features {
		if why := p.fields[f].refused; why != "" {
			return nil, (&dataset.InputError{File: name, Column: p.fields[f].name, Problem: why}).WithHint("leave the column out with {drop}")
		}
		switch {
		case opts.Coder != nil:
			p.job.text[f] = opts.Coder.Of(p.fields[f].name) != nil
		case opts.Categorical != NotCategorical && p.fields[f].kind == dataset.Text:
			p.job.text[f] = true
		}
	}
	return p, nil
}

func (p *plan) chooseTarget(t table, opts *Options) error {
	label := t.label()
	switch {
	case opts.Target == "none", opts.TargetBeyond > 0 && label == nil && len(p.fields) <= opts.TargetBeyond:
		return nil
	case opts.Target == "":
		if label != nil {
			p.target, p.job.target = label, labelTarget
		}
		return nil
	}
	k, err := p.findBy(opts.Target, opts.TargetByName)
	if err != nil {
		if label == nil || !isLabelName(opts.Target) && opts.Target != label.name {
			return err
		}
		p.target, p.job.target = label, labelTarget
	} else {
		f := p.fields[k]
		p.target, p.job.target = &f, k
		if f.refused != "" {
			return &dataset.InputError{File: p.name, Column: f.name, Problem: f.refused}
		}
		if f.texts && opts.Task != dataset.TaskRegression {
			f.kind = dataset.Text
		}
		p.job.text[k] = f.kind == dataset.Text && opts.Task != dataset.TaskRegression // whose texts are complained about
	}
	if p.target.kind == dataset.Text && opts.Task == dataset.TaskRegression && p.job.target == labelTarget {
		return &dataset.InputError{File: p.name, Column: p.target.name, Problem: "the target of a regression holds text"}
	}
	return nil
}

// chooseFeatures returns the names of the wanted columns and notes their fields.
func (p *plan) chooseFeatures(t table, opts *Options) ([]string, error) {
	drop := map[int]bool{}
	for _, name := range opts.Drop {
		k, err := p.find(name)
		if err != nil {
			return nil, dataset.In("drop", err)
		}
		drop[k] = true
	}
	if opts.ID != "" {
		k, err := p.find(opts.ID)
		if err != nil {
			return nil, dataset.In("id", err)
		}
		if k == p.job.target {
			return nil, problem(p.name, "column %q is both what names the rows and the target", p.fields[k].name).WithHint("{id} or {target} must name another column")
		}
		drop[k] = true
	}
	rest := make([]int, 0, len(p.fields))
	for k := range p.fields {
		if k != p.job.target && !drop[k] {
			rest = append(rest, k)
		}
	}
	if opts.Columns == nil {
		p.job.features = rest
	} else if err := p.match(opts, rest, drop, t.named()); err != nil {
		return nil, dataset.In("columns", err)
	}
	if len(p.job.features) == 0 {
		return nil, problem(p.name, "no column is left to use besides the target and those that are left out")
	}
	names := make([]string, len(p.job.features))
	for i, f := range p.job.features {
		names[i] = p.fields[f].name
	}
	if opts.Columns != nil && !t.named() && len(opts.Columns) == len(rest) {
		names = slices.Clone(opts.Columns)
		for i, f := range p.job.features { // so that codings and messages use them
			p.fields[f].name = names[i]
			if p.index != nil {
				p.index[names[i]] = f
			}
		}
	}
	return names, nil
}

// match finds the wanted columns by name or number, or by position when the file names
// none and has just as many.
func (p *plan) match(opts *Options, rest []int, drop map[int]bool, named bool) error {
	wanted := opts.Columns
	var missing []string
	seen := map[int]string{}
	for _, name := range wanted {
		k, err := p.findBy(name, opts.ByName)
		if err != nil {
			missing = append(missing, name)
			continue
		}
		if k == p.job.target || drop[k] {
			continue
		}
		if other, ok := seen[k]; ok {
			return problem(p.name, "columns %q and %q are the same", other, name)
		}
		seen[k] = name
		p.job.features = append(p.job.features, k)
	}
	if len(missing) == 0 {
		return nil
	}
	if !named {
		if len(rest) == len(wanted) {
			p.job.features = rest
			return nil
		}
		return problem(p.name, "the file names no columns and has %d where %d are expected", len(rest), len(wanted)).
			WithHint("expected are %s", words.Names(wanted))
	}
	return problem(p.name, "%s %s missing; the file has %s", words.Noun(len(missing), "column")+" "+words.Names(missing), words.Are(len(missing)), words.Names(fieldNames(p.fields)))
}

func fieldNames(fields []field) []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	return names
}

// find returns the field with that name, or with that number from 1.
func (p *plan) find(name string) (int, error) { return p.findBy(name, false) }

// findBy is find by the name alone, or also by the number.
func (p *plan) findBy(name string, alone bool) (int, error) {
	if p.index == nil {
		p.index = make(map[string]int, len(p.fields))
		for k := range p.fields {
			p.index[p.fields[k].name] = k
		}
	}
	if k, ok := p.index[name]; ok {
		return k, nil
	}
	if n, err := strconv.Atoi(name); err == nil && !alone {
		if n >= 1 && n <= len(p.fields) {
			return n - 1, nil
		}
		return 0, problem(p.name, "there is no column %d; the file has %d", n, len(p.fields))
	}
	e := problem(p.name, "there is no column %q; the file has %s", name, words.Names(fieldNames(p.fields)))
	if near := suggest.Nearest(name, fieldNames(p.fields)); near != "" {
		e.WithHint("did you mean %q?", near)
	}
	return 0, e
}
