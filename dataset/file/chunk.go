package file

import (
	"context"
	"slices"
	"sync"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/internal/cell"
	"github.com/inlier-ml/inlier/internal/decimal"
)

// field is a column as it stands in a file.
type field struct {
	name string
	kind dataset.Kind
	// texts tells that at least one cell that was looked at is text.
	texts bool
	// refused says why the column cannot be used at all, such as a list in Parquet.
	refused string
}

// table is an opened file of any format: what every format provides.
type table interface {
	// fields are the columns of the file in its order, without built-in labels.
	fields() []field
	// named tells whether the file names its columns.
	named() bool
	// label is a built-in target that is no column, such as the class folders of
	// images; nil when there is none.
	label() *field
	// shape is the shape of a sample, or nil.
	shape() []int
	// rows is the number of rows and whether it is certain; -1 when it is not known.
	rows() (n int, certain bool)
	// bound is an upper bound of the number of rows, found without reading cells.
	bound(ctx context.Context) (int, error)
	// scan reads all rows in order.
	scan(ctx context.Context, job *job, visit func(*chunk) error) error
	close() error
}

// job says which columns of a file are wanted.
type job struct {
	// features are the indices of the wanted fields, in the order wanted.
	features []int
	// target is the index of the target's field, -1 for none, labelTarget for the
	// built-in label.
	target int
	// text tells for every field whether its cells are categories.
	text []bool
	// lenient counts cells that are no numbers instead of complaining.
	lenient bool
	// all is true when features are all fields in order.
	all bool
	// into, if it is not nil, is where the features of rows may be put at once instead of
	// into a chunk that is copied afterwards; it returns nil for rows that have no place.
	into func(first, rows int) []float64
	// from is where the rows begin that are wanted; a table that cannot begin there begins with its first.
	from Mark
}

const labelTarget = -2

func (j *job) prepare(fields int) *job {
	j.all = len(j.features) == fields
	for i, f := range j.features {
		j.all = j.all && i == f
	}
	return j
}

// chunk is a run of consecutive rows. Categories are indices into a list of levels
// that belongs to the chunk; NaN is a missing value.
type chunk struct {
	first, rows int
	x           []float64  // rows x features
	levels      [][]string // per feature; nil for numbers
	y           []float64  // the target, or nil
	yLevels     []string   // the target's categories, or nil
	lines       []int      // line of each row in a text file, or nil
	wrong       []int      // per feature: cells that are no numbers (lenient jobs)
	example     []string   // one of those, per feature
	placed      bool       // x is the place where the rows stay
	finite      bool       // x is known to hold finite numbers alone
	mark        Mark       // where it begins in a text
}

// chunks that have been visited are filled again, so that reading a large file leaves
// no garbage behind.
var chunkPool = sync.Pool{New: func() any { return new(chunk) }}

func newChunk() *chunk {
	c := chunkPool.Get().(*chunk)
	*c = chunk{x: c.x[:0], lines: c.lines[:0]}
	return c
}

// room makes x a place for the features of the rows from first on.
func (c *chunk) room(job *job, first, rows int) {
	c.rows = rows
	if c.placed { // what was filled before is not ours to fill again
		c.x, c.placed = nil, false
	}
	if job.into != nil {
		if x := job.into(first, rows); x != nil {
			c.x, c.placed = x, true
			return
		}
	}
	n := rows * len(job.features)
	c.x = slices.Grow(c.x[:0], n)[:n]
}

func (c *chunk) free() {
	if c.placed { // not ours to fill again
		c.x = nil
	}
	chunkPool.Put(c)
}

// narrow fills dst with the wanted columns of rows that have all of them.
func (j *job) narrow(dst, rows []float64, d int) {
	if j.all {
		copy(dst, rows)
		return
	}
	k := len(j.features)
	for i := 0; (i+1)*d <= len(rows); i++ {
		row, out := rows[i*d:(i+1)*d], dst[i*k:(i+1)*k]
		for p, f := range j.features {
			out[p] = row[f]
		}
	}
}

// dictionary numbers the categories of a chunk in the order in which they come.
type dictionary struct {
	index map[string]int
	names []string
}

func (d *dictionary) number(text []byte) float64 {
	if i, ok := d.index[string(text)]; ok { // no allocation
		return float64(i)
	}
	if d.index == nil {
		d.index = map[string]int{}
	}
	name := cell.Decode(text)
	d.index[name] = len(d.names)
	d.names = append(d.names, name)
	return float64(len(d.names) - 1)
}

// asTexts visits chunks whose categories are all numbered: a column of numbers that is to be
// categories, as one of an array that a model knows from a text file, has its numbers for
// texts, as short as they read back the same.
func (j *job) asTexts(visit func(*chunk) error) func(*chunk) error {
	target := j.target >= 0 && j.text[j.target]
	if !target && !slices.ContainsFunc(j.features, func(f int) bool { return j.text[f] }) {
		return visit
	}
	return func(c *chunk) error {
		read := *c
		c.levels = make([][]string, len(j.features))
		copy(c.levels, read.levels)
		for p, f := range j.features {
			if j.text[f] && len(c.levels[p]) == 0 {
				c.levels[p] = numberTexts(c.x[:c.rows*len(j.features)], p, len(j.features))
			}
		}
		if target && len(c.yLevels) == 0 {
			c.y = slices.Clone(c.y[:c.rows])
			c.yLevels = numberTexts(c.y, 0, 1)
		}
		err := visit(c)
		c.levels, c.y, c.yLevels = read.levels, read.y, read.yLevels // which the reader may fill again
		return err
	}
}

// numberTexts replaces every so manieth number by that of its text among those returned.
func numberTexts(x []float64, from, step int) []string {
	var texts dictionary
	var room [32]byte
	for at := from; at < len(x); at += step {
		if v := x[at]; v-v == 0 {
			x[at] = texts.number(decimal.Append(room[:0], v))
		}
	}
	return texts.names
}
