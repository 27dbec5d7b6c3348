package tolerant

import (
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/internal/decimal"
	"github.com/inlier-ml/inlier/internal/spill"
)

// coded is a table of one of the formats of package dataset/file: numbers, and texts as places in lists.
type coded struct {
	name   string
	set    *dataset.Set
	levels [][]string // of each column; nil for numbers
	times  []bool     // seconds since 1970
}

// openCoded opens a file, or a stream, that package dataset/file reads. Columns that it cannot read are left
// out and named.
func openCoded(ctx context.Context, name string, stream io.ReadSeeker, o *Options) (*piece, error) {
	opts := file.Options{FS: o.FS, Categorical: file.Codes, Missing: file.MissingKeep, Limit: o.Limit, Target: "none", Long: true}
	p := &piece{name: name, named: true}
	for {
		set, err := readCoded(ctx, name, stream, opts, o.Room)
		if err == nil {
			return p.fromSet(set, opts.Times), nil
		}
		var input *dataset.InputError
		if !errors.As(err, &input) || input.Column == "" || len(opts.Drop) > 1000 {
			return nil, err
		}
		if strings.Contains(input.Problem, "holds times") && !slices.Contains(opts.Times, input.Column) {
			opts.Times = append(opts.Times, input.Column)
			continue
		}
		opts.Drop = append(opts.Drop, input.Column)
		p.remark("", "Column %q was left out: %s.", input.Column, input.Problem)
	}
}

func readCoded(ctx context.Context, name string, stream io.ReadSeeker, opts file.Options, room *spill.Room) (*dataset.Set, error) {
	if stream == nil {
		if room == nil {
			return file.Read(ctx, name, opts)
		}
		source, err := file.OpenContext(ctx, name, opts)
		if err != nil {
			return nil, err
		}
		defer source.Close()
		return readInto(ctx, source, room)
	}
	if _, err := stream.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	source, err := file.OpenReader(ctx, name, stream, opts)
	if err != nil {
		return nil, err
	}
	defer source.Close()
	if room != nil {
		return readInto(ctx, source, room)
	}
	return source.Read(ctx)
}

// readInto reads the numbers block by block into a room.
func readInto(ctx context.Context, source *file.Source, room *spill.Room) (*dataset.Set, error) {
	rows, err := source.Count(ctx)
	if err != nil {
		return nil, err
	}
	_, columns := source.Dims()
	x := mat.NewDense(rows, columns, spill.Make[float64](room, rows*columns))
	err = source.Scan(ctx, func(first int, block *mat.Dense) error {
		for i := range block.RawMatrix().Rows {
			x.SetRow(first+i, block.RawRowView(i))
		}
		room.Passed(8 * int64(len(block.RawMatrix().Data)))
		return nil
	})
	return &dataset.Set{Name: source.Name(), X: x, Columns: source.Columns(), Coder: source.Coder(), Unnamed: source.Unnamed()}, err
}

func (p *piece) fromSet(set *dataset.Set, times []string) *piece {
	c := &coded{name: p.name, set: set, levels: make([][]string, len(set.Columns)), times: make([]bool, len(set.Columns))}
	p.text, p.names, p.rows, p.named, p.shape = c, set.Columns, set.Rows(), !set.Unnamed, set.Shape
	p.known = make([]Column, len(set.Columns))
	room, numbers := spill.Of(set.X.RawMatrix().Data), make([]int, 0, len(set.Columns))
	for j, name := range set.Columns {
		if coding := set.Coder.Of(name); coding != nil {
			c.levels[j] = coding.Levels
			continue
		}
		k := &p.known[j]
		k.Kind, k.Values, k.Sure = Number, spill.Make[float64](room, p.rows), 1
		if slices.Contains(times, name) {
			k.Kind, k.Layout = Date, "2006-01-02"
			c.times[j] = true
		}
		numbers = append(numbers, j)
	}
	const together = 1 << 13
	for first := 0; first < p.rows; first += together { // once over the table, which may not be in memory
		for _, j := range numbers {
			k := &p.known[j]
			for i := first; i < min(first+together, p.rows); i++ {
				v := set.X.At(i, j)
				k.Values[i] = v
				if v != v {
					k.Missing++
				} else if k.Kind == Date && math.Mod(v, 86400) != 0 {
					k.Layout = "2006-01-02 15:04:05"
				}
			}
			room.Touched(1) // of each column pages come in that are larger than what is written of it
		}
	}
	return p
}

func (c *coded) cell(row, column int) string {
	v := c.set.X.At(row, column)
	switch {
	case v != v:
		return ""
	case c.levels[column] != nil:
		return c.levels[column][int(v)]
	case c.times[column]:
		whole := math.Floor(v)
		return strings.TrimSuffix(time.Unix(int64(whole), 1000*int64(math.Round((v-whole)*1e6))).UTC().Format("2006-01-02 15:04:05.999999"), " 00:00:00")
	}
	return decimal.Text(v) // 20240831 may be a day
}

func (c *coded) place(row int) (string, int) { return c.name, row + 1 }

func (c *coded) scan(from, to int, visit func(row int, fields [][]byte)) {
	fields := make([][]byte, len(c.levels))
	for row := from; row < to; row++ {
		for j := range fields {
			fields[j] = append(fields[j][:0], c.cell(row, j)...)
		}
		visit(row, fields)
	}
}
