package file

import (
	"context"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

const (
	// singleRows is how many rows tell the rounding of columns.
	singleRows = 512
	// singleCells are numbers of a chunk that is made of held ones.
	singleCells = 1 << 16
)

// Held is what [Source.HoldSingle] holds.
type Held struct {
	Bytes    int64   `json:"bytes"`
	Rounding float64 `json:"rounding"`         // of nine of ten cells of a column at most, in units of its spread: the largest of all columns
	Column   string  `json:"column,omitempty"` // which has it; empty: none is rounded
}

// singles is a table whose features are held in single precision. What else is asked for is read from the file again.
type singles struct {
	table
	place   []int // of fields among those held; -1: it is not
	d       int
	x       []float32
	targets int // field that is held beside, labelTarget, or -1
	y       []float64
	levels  []string
	finite  bool           // no number is missing
	whole   *linalg.Single // nil: numbers are missing
}

// HoldSingle reads the table once and holds its columns in single precision, half of what they take otherwise, so that readings that follow are
// of memory. Targets keep all their digits. Numbers beyond 3e38 become the largest ones of single precision. It does nothing where columns are coded.
func (s *Source) HoldSingle(ctx context.Context) (*Held, error) {
	ctx = given.Context(ctx)
	d := len(s.plan.columns)
	if !s.plan.direct {
		return nil, nil
	}
	n, err := s.room(ctx, d)
	if err != nil {
		return nil, err
	}
	t := &singles{table: s.table, place: slices.Repeat([]int{-1}, len(s.plan.fields)), d: d, x: make([]float32, n*d), targets: s.plan.job.target, finite: !s.plan.keep}
	for p, f := range s.plan.job.features {
		t.place[f] = p
	}
	apart := max(1, n/singleRows)
	sample, off := make([][]float64, d), make([][]float64, d) // of each column
	var texts dictionary
	rows := 0
	err = s.chunks(ctx, s.plan.job, true, func(c *chunk) error {
		rows = c.first + c.rows
		if rows > n {
			return problem(s.name, "the file changed while it was read")
		}
		out := t.x[c.first*d : rows*d]
		linalg.Spans(len(out), func(from, to int) {
			out := out[from:to]
			for i, v := range c.x[from:to] {
				if out[i] = float32(v); out[i]-out[i] != 0 {
					out[i] = single(v)
				}
			}
		})
		for i := (c.first + apart - 1) / apart * apart; i < rows; i += apart {
			for j := range d {
				if v := c.x[(i-c.first)*d+j]; v == v {
					sample[j] = append(sample[j], v)
					off[j] = append(off[j], math.Abs(v-float64(single(v))))
				}
			}
		}
		for _, v := range c.y[:min(c.rows, len(c.y))] {
			if c.yLevels != nil && v == v {
				v = texts.number([]byte(c.yLevels[int(v)]))
			}
			t.y = append(t.y, v)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if rows == 0 {
		return nil, problem(s.name, "the file has no rows")
	}
	t.x, t.levels, s.count, s.table = t.x[:rows*d], texts.names, rows, t
	if t.finite {
		t.whole = linalg.NewSingle(rows, d, t.x)
	}
	held := &Held{Bytes: int64(4*len(t.x) + 8*len(t.y))}
	for j := range d {
		if r := roundingOf(sample[j], off[j]); r > held.Rounding {
			held.Rounding, held.Column = r, s.plan.columns[j]
		}
	}
	return held, nil
}

// Single is what [Source.HoldSingle] holds, where that is the rows as they are; else nil.
func (s *Source) Single() *linalg.Single {
	t, ok := s.table.(*singles)
	if !ok || s.part || s.goal != nil || len(s.plan.job.features) != t.d {
		return nil
	}
	for p, f := range s.plan.job.features {
		if t.place[f] != p {
			return nil
		}
	}
	return t.whole
}

// single rounds; what is too large for it becomes the largest, which is as far from everything.
func single(v float64) float32 {
	if v-v == 0 {
		v = max(-math.MaxFloat32, min(v, math.MaxFloat32))
	}
	return float32(v)
}

// roundingOf is what nine of ten cells of a column are rounded by at most, in units of the column's spread.
func roundingOf(values, off []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	slices.Sort(off)
	spread := (univariate.Interpolated(values, 0.75) - univariate.Interpolated(values, 0.25)) / 1.349
	if spread == 0 {
		spread = values[len(values)-1] - values[0]
	}
	if by := univariate.Interpolated(off, 0.9); by > 0 && spread > 0 {
		return by / spread
	}
	return 0
}

func (t *singles) rows() (int, bool)                  { return len(t.x) / t.d, true }
func (t *singles) bound(context.Context) (int, error) { return len(t.x) / t.d, nil }

// files are those of images, which the table behind knows.
func (t *singles) files() []string {
	if t, ok := t.table.(interface{ files() []string }); ok {
		return t.files()
	}
	return nil
}

// holds tells whether all that is wanted is held.
func (t *singles) holds(wanted *job) bool {
	if wanted.lenient || wanted.target != -1 && (wanted.target != t.targets || t.y == nil || wanted.target >= 0 && wanted.text[wanted.target] != (t.levels != nil)) {
		return false
	}
	for _, f := range wanted.features {
		if t.place[f] < 0 || wanted.text[f] {
			return false
		}
	}
	return true
}

func (t *singles) scan(ctx context.Context, wanted *job, visit func(*chunk) error) error {
	if !t.holds(wanted) {
		return t.table.scan(ctx, wanted, visit)
	}
	n, k := len(t.x)/t.d, len(wanted.features)
	whole := k == t.d
	for p, f := range wanted.features {
		whole = whole && t.place[f] == p
	}
	each := max(blockRows, singleCells/max(k, 1)/blockRows*blockRows)
	c := newChunk()
	defer c.free()
	for first := wanted.from.Row; first < n; first += each {
		last := min(first+each, n)
		c.first = first
		c.room(wanted, first, last-first)
		switch {
		case whole:
			for i, v := range t.x[first*t.d : last*t.d] {
				c.x[i] = float64(v)
			}
		default:
			for i := range last - first {
				row, out := t.x[(first+i)*t.d:], c.x[i*k:(i+1)*k]
				for p, f := range wanted.features {
					out[p] = float64(row[t.place[f]])
				}
			}
		}
		c.finite, c.y, c.yLevels = t.finite, nil, nil
		if wanted.target != -1 {
			c.y, c.yLevels = slices.Clone(t.y[first:last]), t.levels
		}
		if err := visit(c); err != nil {
			return err
		}
	}
	return nil
}
