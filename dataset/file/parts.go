package file

import (
	"context"
	"errors"
	"iter"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/given"
)

// Parts reads a table as sets of at most so many consecutive rows, one after the other, each with its targets and, where
// a column names the rows, their names. A part may be used only during the call. What is kept does not grow with the
// rows. A target is gone through before, to know its classes, and the column of names beside.
func (s *Source) Parts(ctx context.Context, rows int, id string, visit func(first int, part *dataset.Set) error) error {
	ctx = given.Context(ctx)
	goal, err := s.classes(ctx)
	if err != nil {
		return err
	}
	name := func(int) []string { return nil }
	if files := s.Files(); id != "" {
		next, stop := iter.Pull2(s.texts(ctx, id))
		defer stop()
		name = func(n int) []string {
			names := make([]string, 0, n)
			for len(names) < n {
				text, wrong, ok := next()
				if err = wrong; !ok || wrong != nil {
					return names
				}
				names = append(names, text)
			}
			return names
		}
	} else if files != nil {
		name = func(n int) (names []string) { names, files = files[:n:n], files[n:]; return names }
	}
	width := len(s.plan.columns)
	room, y := make([]float64, 0, rows*width), make([]float64, 0, rows)
	first := 0
	emit := func() error {
		n := len(room) / width
		part := &dataset.Set{Name: s.name, X: mat.NewDense(n, width, room), Columns: s.plan.columns, Shape: s.shape, Unnamed: s.Unnamed(), Coder: s.plan.coder, New: s.plan.words, IDs: name(n)}
		if err == nil && part.IDs != nil && len(part.IDs) != n {
			err = problem(s.name, "the file changed while it was read")
		}
		if err != nil {
			return err
		}
		if goal != nil {
			if part.Target = goal.of(y); part.Target == nil {
				return problem(s.name, "the file changed while it was read")
			}
		}
		err := visit(first, part)
		first, room, y = first+n, room[:0], y[:0]
		return err
	}
	var coded, values []float64
	wrong := s.chunks(ctx, s.plan.job, true, func(c *chunk) error {
		if need := c.rows * width; cap(coded) < need {
			coded = make([]float64, need)
		}
		from := coded[:c.rows*width]
		if s.plan.direct {
			from = c.x[:c.rows*width]
		} else if err := s.plan.apply(c, from); err != nil {
			return err
		}
		values = values[:0]
		if goal != nil {
			values = goal.coded(values, c)
		}
		for len(from) > 0 {
			n := min(len(from), cap(room)-len(room))
			room, from = append(room, from[:n]...), from[n:]
			if goal != nil {
				y, values = append(y, values[:n/width]...), values[n/width:]
			}
			if len(room) == cap(room) {
				if err := emit(); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if wrong == nil && len(room) > 0 {
		wrong = emit()
	}
	if wrong == nil && first == 0 {
		return problem(s.name, "the file has no rows")
	}
	return wrong
}

// texts are those of a column, row by row.
func (s *Source) texts(ctx context.Context, column string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		err := s.ScanTexts(ctx, column, func(texts []string) error {
			for _, text := range texts {
				if !yield(text, nil) {
					return errEnough
				}
			}
			return nil
		})
		if err != nil {
			yield("", err)
		}
	}
}

// goals are the targets of a table whose classes are known.
type goals struct {
	*targets
	numbers dataset.NumberClasses
	classes []string // of texts, sorted
	place   []int    // of the classes in the order in which they came
	counts  map[float64]int
}

// classes goes through the target once, where that is needed to know what it is; nil where there is none.
func (s *Source) classes(ctx context.Context) (*goals, error) {
	t := newTargets(s.plan, &s.opts)
	if t == nil {
		return nil, nil
	}
	g := &goals{targets: t, numbers: dataset.NumberClasses{Task: s.opts.Task}, counts: map[float64]int{}}
	if !g.text && g.task == dataset.TaskRegression {
		return g, nil
	}
	pass := (&job{target: s.plan.job.target, text: s.plan.job.text}).prepare(len(s.plan.fields))
	var values []float64
	err := s.chunks(ctx, pass, false, func(c *chunk) error {
		if err := s.plan.checkTarget(c); err != nil {
			return err
		}
		if values = g.coded(values[:0], c); !g.text {
			if g.numbers.Add(values); g.numbers.None() {
				return errEnough
			}
		}
		for _, v := range values {
			if !math.IsNaN(v) { // which is no key that is found again
				g.counts[v]++
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if g.text {
		sorted := dataset.CodedTarget(g.name, g.seen.names, indices(len(g.seen.names)))
		g.classes, g.place = sorted.Classes, sorted.Labels
	}
	return g, nil
}

// of is the target of rows with these numbers, or classes in the order in which they came; nil where one came since.
func (g *goals) of(values []float64) *dataset.Target {
	if !g.text {
		return g.numbers.Target(g.name, values)
	}
	t := &dataset.Target{Name: g.name, Classes: g.classes, Labels: make([]int, len(values))}
	for i, v := range values {
		if math.IsNaN(v) {
			t.Labels[i] = -1
			continue
		}
		if int(v) >= len(g.place) {
			return nil
		}
		t.Labels[i] = g.place[int(v)]
	}
	return t
}

// BesideClasses is the source with the index of its class as one more column, the last, so that both are read in blocks; NaN is
// none. Beside it stands the target, whose labels are not held, and how many rows each class has. It is nil where the
// target is no column or none of classes. The target is gone through once.
func (s *Source) BesideClasses(ctx context.Context) (out *Source, target *dataset.Target, counts []int, err error) {
	ctx = given.Context(ctx)
	g, err := s.classes(ctx)
	if g == nil || err != nil || !g.text && (g.task == dataset.TaskRegression || g.numbers.None()) {
		return nil, nil, nil, err
	}
	var values []float64
	for v := range g.counts {
		values = append(values, v)
	}
	if target = g.of(values); target.Labels == nil {
		return nil, nil, nil, nil
	}
	counts = make([]int, len(target.Classes))
	for i, k := range target.Labels {
		if k >= 0 {
			counts[k] = g.counts[values[i]]
		}
	}
	copied := *s
	copied.goal, copied.shape = g, nil
	return &copied, &dataset.Target{Name: target.Name, Classes: target.Classes}, counts, nil
}

// beside puts the classes of a chunk behind its rows.
func (g *goals) beside(to []float64, c *chunk, rows []float64, width int) ([]float64, error) {
	target := g.of(g.coded(nil, c))
	if target == nil {
		return nil, errors.New("the file changed while it was read")
	}
	to = to[:0]
	for i, k := range target.Labels {
		label := math.NaN()
		if k >= 0 {
			label = float64(k)
		}
		to = append(append(to, rows[i*width:(i+1)*width]...), label)
	}
	return to, nil
}

func indices(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(i)
	}
	return out
}
