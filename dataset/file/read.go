package file

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/given"
)

// Read reads a whole file or folder of images into memory. The path "-" is standard
// input.
func Read(ctx context.Context, path string, opts Options) (*dataset.Set, error) {
	ctx = given.Context(ctx)
	s, err := OpenContext(ctx, path, opts)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	return s.Read(ctx)
}

// Read reads all rows into memory. The matrix is allocated once: for its exact number
// of rows where that is certain, else for an upper bound that is found by counting
// first, so that no second copy ever exists.
func (s *Source) Read(ctx context.Context) (*dataset.Set, error) {
	ctx = given.Context(ctx)
	width := len(s.plan.columns)
	rows, err := s.room(ctx, width)
	if err != nil {
		return nil, err
	}
	data := make([]float64, rows*width)
	goal := newTargets(s.plan, &s.opts)
	if goal != nil {
		goal.values = make([]float64, 0, rows)
	}
	job := *s.plan.job
	if s.plan.direct {
		job.into = func(first, n int) []float64 {
			if first+n > rows {
				return nil
			}
			return data[first*width : (first+n)*width]
		}
	}
	n := 0
	err = s.chunks(ctx, &job, true, func(c *chunk) error {
		if c.first+c.rows > rows {
			return problem(s.name, "the file changed while it was read")
		}
		if err := s.plan.apply(c, data[c.first*width:(c.first+c.rows)*width]); err != nil {
			return err
		}
		if goal != nil {
			goal.add(c)
		}
		n = c.first + c.rows
		return nil
	})
	if err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, problem(s.name, "the file has no rows")
	}
	s.count = n
	set := &dataset.Set{
		Name:    s.name,
		X:       mat.NewDense(n, width, data[:n*width:n*width]),
		Columns: s.plan.columns,
		Shape:   s.shape,
		Unnamed: s.Unnamed(),
		Coder:   s.plan.coder,
		New:     s.plan.words,
	}
	if goal != nil {
		set.Target = goal.finish()
	}
	return set, nil
}

// room is the number of rows to make room for: as many as are certain, or so few that
// they cost next to nothing, or as many as counting finds.
func (s *Source) room(ctx context.Context, width int) (int, error) {
	const cheap = 1 << 20 // cells
	rows, certain := s.table.rows()
	limit := s.opts.Limit
	if limit > 0 && rows > limit {
		rows = limit
	}
	if err := s.opts.checkCells(s.name, rows, width); err != nil || certain {
		return rows, err
	}
	if rows < 0 && limit > 0 && limit <= cheap/width {
		rows = limit
	}
	if rows < 0 || rows > cheap/width {
		counted, err := s.table.bound(ctx)
		if err != nil {
			return 0, err
		}
		if rows = counted; limit > 0 {
			rows = min(rows, limit)
		}
		if err := s.opts.checkCells(s.name, rows, width); err != nil {
			return 0, err
		}
	}
	return rows, s.opts.checkGrowth(s.name, rows, width, s.bytes, cellsPerByte)
}

// Target reads the target alone; nil when there is none.
func (s *Source) Target(ctx context.Context) (*dataset.Target, error) {
	ctx = given.Context(ctx)
	goal := newTargets(s.plan, &s.opts)
	if goal == nil {
		return nil, nil
	}
	pass := (&job{target: s.plan.job.target, text: s.plan.job.text}).prepare(len(s.plan.fields))
	err := s.chunks(ctx, pass, false, func(c *chunk) error {
		if err := s.plan.checkTarget(c); err != nil {
			return err
		}
		goal.add(c)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return goal.finish(), nil
}
