// Package corrupt dirties data on purpose: outlying rows and cells, missing values, covered and dummy
// images, wrong labels and targets. [Apply] does what a specification says and tells what was hit.
package corrupt

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/internal/setting"
)

// Apply dirties a copy of s as the specification says and tells what it did; s
// itself is never changed. A specification is one or more steps joined by +, each of
// the form
//
//	name[:amount][,key=value]...
//
// such as "rows:0.1,size=20" or "occlusion:20%+label:0.2". The amount says how many rows (cells for
// "missing" and "feature") are hit: a number below 1 or one with % is a fraction, "all" is every
// one, a whole number of at least 1 is a count. [Kinds] lists the names.
//
// The steps are done in order, each with random numbers of its own: the rows that a
// step hits depend on the seed, its place in the line and its name, not on the other
// steps, and a larger amount hits a superset of the rows of a smaller one.
func Apply(s *dataset.Set, spec string, seed uint64) (*dataset.Set, *Dirt, error) {
	steps, err := parse(spec)
	if err != nil {
		return nil, nil, err
	}
	if s.X.IsEmpty() {
		return nil, nil, fmt.Errorf("dataset: %s has no rows to corrupt", s.Name)
	}
	job := &job{set: clone(s), dirt: &Dirt{}}
	job.dirt.grow(s.Rows(), s.Dim())
	for k, step := range steps {
		job.name, job.step = step.name, &Step{Spec: step.text}
		job.r = dataset.Random(seed, fmt.Sprintf("corrupt %d %s", k, step.name))
		if err := step.how.apply(job, step.amount); err != nil {
			return nil, nil, err
		}
		if err := job.finite(); err != nil {
			return nil, nil, err
		}
		slices.Sort(job.step.Rows)
		job.dirt.Steps = append(job.dirt.Steps, *job.step)
	}
	return job.set, job.dirt, nil
}

// Kind describes one kind of corruption.
type Kind struct {
	Name       string              `json:"name"`
	Text       string              `json:"text"`
	Paper      string              `json:"paper,omitempty"`
	Amount     string              `json:"amount"` // what it counts, and its default
	Parameters []dataset.Parameter `json:"parameters"`
}

// Kinds lists every kind with its parameters, defaults and ranges.
func Kinds() []Kind {
	out := make([]Kind, len(table))
	for i, e := range table {
		out[i] = Kind{Name: e.name, Text: e.text, Paper: e.paper, Amount: e.unit + ", default " + e.amount,
			Parameters: setting.Describe(e.fresh().fields())}
	}
	return out
}

// method is one kind of dirt with its parameters.
type method interface {
	fields() []setting.Field
	apply(job *job, amount quantity) error
}

// job is the state of one call of Apply.
type job struct {
	set  *dataset.Set // being dirtied
	dirt *Dirt
	name string // of the step under way
	step *Step
	r    *rand.Rand
}

func (j *job) errorf(format string, args ...any) error {
	return fmt.Errorf("dataset: corrupt %s: "+format, append([]any{j.name}, args...)...)
}

// chooseRows picks the rows to hit and notes them.
func (j *job) chooseRows(amount quantity) ([]int, error) {
	n := j.set.Rows()
	count, err := amount.of(n)
	if err != nil {
		return nil, j.errorf("%w rows of %s", err, j.set.Name)
	}
	rows := j.r.Perm(n)[:count]
	for _, i := range rows {
		j.dirt.Rows[i] = true
	}
	j.step.Rows = slices.Clone(rows)
	return rows, nil
}

// markRow notes that every cell of a row was changed.
func (j *job) markRow(i int) {
	for k := range j.set.Dim() {
		j.markCell(i, k)
	}
}

// markCell notes that a cell was changed.
func (j *job) markCell(i, k int) {
	j.dirt.mark(i, k)
	j.step.Cells++
}

// finite refuses dirt that is larger than any number: no file could be read back with it.
func (j *job) finite() error {
	large := func(v float64) bool { return math.IsInf(v, 0) }
	for i := range j.set.Rows() {
		if k := slices.IndexFunc(j.set.X.RawRowView(i), large); k >= 0 {
			return j.errorf("row %d, column %d would become infinite; use smaller parameters", i+1, k+1)
		}
	}
	if t := j.set.Target; t != nil && slices.ContainsFunc(t.Values, large) {
		return j.errorf("a target would become infinite; use smaller parameters")
	}
	return nil
}

// white is the value of a white pixel: as given, else 255 when the set has values above
// 1.5, else 1.
func (j *job) white(given float64) float64 {
	if given > 0 {
		return given
	}
	for i := range j.set.Rows() {
		for _, v := range j.set.X.RawRowView(i) {
			if v > 1.5 {
				return 255
			}
		}
	}
	return 1
}

// quantity is how many of something are to be hit.
type quantity struct {
	value    float64
	fraction bool
}

func parseQuantity(text string) (quantity, error) {
	if text == "all" {
		return quantity{1, true}, nil
	}
	number, percent := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(number, 64)
	switch {
	case err != nil:
		return quantity{}, fmt.Errorf("amount %q is not a number", text)
	case percent && v >= 0 && v <= 100:
		return quantity{v / 100, true}, nil
	case !percent && v >= 0 && v < 1:
		return quantity{v, true}, nil
	case !percent && v >= 1 && v <= 1e12 && v == math.Trunc(v):
		return quantity{v, false}, nil
	}
	return quantity{}, fmt.Errorf("amount %q must be a fraction in [0, 1), a percentage in [0%%, 100%%], a whole number of at least 1, or all", text)
}

// of turns the amount into a number of at most n, to the nearest.
func (a quantity) of(n int) (int, error) {
	if a.fraction {
		return int(a.value*float64(n) + 0.5), nil
	}
	if a.value > float64(n) {
		return 0, fmt.Errorf("amount %.0f is more than the %d", a.value, n)
	}
	return int(a.value), nil
}

// step is one parsed step of a specification.
type step struct {
	name, text string
	amount     quantity
	how        method
}

func parse(spec string) ([]step, error) {
	var steps []step
	for _, text := range cutSteps(spec) {
		text = strings.TrimSpace(text)
		head, rest, _ := strings.Cut(text, ",")
		name, amount, given := strings.Cut(strings.TrimSpace(head), ":")
		at := slices.IndexFunc(table, func(e entry) bool { return e.name == name })
		if at < 0 {
			names := make([]string, len(table))
			for i, e := range table {
				names[i] = e.name
			}
			return nil, fmt.Errorf("dataset: there is no corruption %q; there are %s", name, strings.Join(names, ", "))
		}
		entry := table[at]
		if !given || amount == "" {
			amount = entry.amount
		}
		step := step{name: name, text: text, how: entry.fresh()}
		var err error
		if step.amount, err = parseQuantity(strings.TrimSpace(amount)); err != nil {
			return nil, fmt.Errorf("dataset: corrupt %s: %w", name, err)
		}
		params := map[string]string{}
		for _, pair := range strings.Split(rest, ",") {
			if rest == "" {
				break
			}
			key, value, ok := strings.Cut(pair, "=")
			if !ok {
				return nil, fmt.Errorf("dataset: corrupt %s: %q should be key=value", name, pair)
			}
			key = strings.TrimSpace(key)
			if _, twice := params[key]; twice {
				return nil, fmt.Errorf("dataset: corrupt %s: parameter %s is set twice", name, key)
			}
			params[key] = strings.TrimSpace(value)
		}
		if err := setting.Set("corrupt "+name, step.how.fields(), params); err != nil {
			return nil, err
		}
		if err := setting.Check("corrupt "+name, step.how.fields()); err != nil {
			return nil, err
		}
		steps = append(steps, step)
	}
	return steps, nil
}

// cutSteps cuts a specification at every + that begins a new step, that is, one
// followed by a letter: 1e+3 stays whole.
func cutSteps(spec string) []string {
	var steps []string
	start := 0
	for i := 0; i < len(spec); i++ {
		if spec[i] != '+' {
			continue
		}
		next := strings.TrimLeft(spec[i+1:], " ")
		if next == "" || next[0] < '0' || next[0] > '9' {
			steps = append(steps, spec[start:i])
			start = i + 1
		}
	}
	return append(steps, spec[start:])
}

// mostNumbers bounds the numbers in one dirtied table (8 GB), so that a slip of the pen
// ends in a message.
const mostNumbers = 1 << 30

// clone copies everything that a corruption may change.
func clone(s *dataset.Set) *dataset.Set {
	c := *s
	c.X = mat.DenseCopyOf(s.X)
	if s.Target != nil {
		t := *s.Target
		t.Values, t.Labels = slices.Clone(t.Values), slices.Clone(t.Labels)
		c.Target = &t
	}
	return &c
}
