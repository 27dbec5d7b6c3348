package file

import (
	"context"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/words"
)

// Info tells what a file holds.
type Info struct {
	Name       string       `json:"name"`
	Format     Format       `json:"format"`
	Compressed bool         `json:"compressed,omitempty"`
	Bytes      int64        `json:"bytes,omitempty"` // on disk
	Rows       int          `json:"rows"`            // -1: not counted yet
	Columns    []ColumnInfo `json:"columns"`
	Shape      []int        `json:"shape,omitempty"` // of a sample
	Header     bool         `json:"header"`          // the file names its columns
	Delimiter  string       `json:"delimiter,omitempty"`
	Label      string       `json:"label,omitempty"` // labels that are no column
	Classes    []string     `json:"classes,omitempty"`
}

// ColumnInfo tells what a column of the file holds. What stands below Kind is known
// after Describe.
type ColumnInfo struct {
	Name    string       `json:"name"`
	Kind    dataset.Kind `json:"kind"`
	Problem string       `json:"problem,omitempty"` // why the column cannot be used
	Missing int          `json:"missing"`
	Min     float64      `json:"min"`
	Max     float64      `json:"max"`
	Mean    float64      `json:"mean"`
	Levels  []string     `json:"levels,omitempty"` // sorted categories of a text column
	Wrong   int          `json:"wrong,omitempty"`  // texts in a column of numbers
	Example string       `json:"example,omitempty"`
}

// Info tells what is known without reading the rows.
func (s *Source) Info() Info {
	info := Info{Name: s.name, Format: s.driver.name, Compressed: s.packed, Bytes: s.bytes, Rows: s.count, Shape: s.table.shape(), Header: s.table.named()}
	if s.shape != nil {
		info.Shape = s.shape
	}
	if t, ok := s.table.(interface{ describe(*Info) }); ok {
		t.describe(&info)
	}
	info.Columns = make([]ColumnInfo, 0, len(s.table.fields()))
	for _, f := range s.table.fields() {
		info.Columns = append(info.Columns, ColumnInfo{Name: f.name, Kind: f.kind, Problem: f.refused})
	}
	if label := s.table.label(); label != nil {
		info.Label = label.name
	}
	return info
}

// Inspect opens a file, describes it as Describe does, reads its rows if it can, and closes
// it. Where the options name no columns none have to make sense: text, times and wrong
// cells are all told, and the set is nil when some cell cannot be used.
func Inspect(ctx context.Context, path string, opts Options) (Info, *dataset.Set, error) {
	ctx = given.Context(ctx)
	if err := opts.check(); err != nil {
		return Info{}, nil, err
	}
	s := &Source{name: path, opts: opts, count: -1}
	if err := s.openTable(ctx, path, nil); err != nil {
		return Info{}, nil, err
	}
	defer s.Close()
	unusable := s.resolve(ctx)
	asked := len(opts.Columns)+len(opts.Drop)+len(opts.Text) > 0 || opts.Target != "" || opts.Shape != ""
	if unusable != nil && (asked || ctx.Err() != nil) {
		return Info{}, nil, unusable
	}
	info, err := s.Describe(ctx)
	if err == nil && info.Rows == 0 {
		err = problem(s.name, "the file has no rows")
	}
	if err != nil || unusable != nil {
		return info, nil, err
	}
	set, _ := s.Read(ctx) // the columns tell what is wrong
	return info, set, ctx.Err()
}

// mostListedLevels bounds the categories that Describe lists for one column.
const mostListedLevels = 1000

// Describe reads all rows once and adds what the columns hold. It complains about
// nothing but a file that cannot be read: missing and wrong cells are counted.
func (s *Source) Describe(ctx context.Context) (Info, error) {
	ctx = given.Context(ctx)
	info := s.Info()
	fields := s.table.fields()
	pass := &job{target: -1, text: make([]bool, len(fields)), lenient: true}
	levels := make([]*dictionary, len(fields)) // of the text columns
	for k, f := range fields {
		if f.refused == "" {
			pass.features = append(pass.features, k)
			if pass.text[k] = f.kind == dataset.Text; pass.text[k] {
				levels[k] = new(dictionary)
			}
		}
	}
	if s.table.label() != nil {
		pass.target = labelTarget
	}
	pass.prepare(len(fields))
	counts := make([]int, len(fields))
	var labels *targets
	if label := s.table.label(); label != nil {
		labels = &targets{name: label.name, text: label.kind == dataset.Text}
	}
	for k := range info.Columns {
		info.Columns[k].Min, info.Columns[k].Max = math.Inf(1), math.Inf(-1)
	}
	n := 0
	err := s.chunks(ctx, pass, false, func(c *chunk) error {
		n += c.rows
		if labels != nil {
			labels.add(c)
		}
		for p, k := range pass.features {
			info.Columns[k].add(c, p, len(pass.features), &counts[k], levels[k])
		}
		return nil
	})
	if err != nil {
		return info, err
	}
	info.Rows, s.count = n, n
	for k := range info.Columns {
		info.Columns[k].finish(counts[k], levels[k])
	}
	if labels != nil {
		info.Classes = labels.finish().Classes
	}
	return info, nil
}

// add takes column p of a chunk into account.
func (i *ColumnInfo) add(c *chunk, p, width int, count *int, levels *dictionary) {
	if c.wrong != nil && c.wrong[p] > 0 {
		i.Wrong += c.wrong[p]
		i.Missing -= c.wrong[p]
		i.Example = words.Clip(c.example[p])
	}
	if i.Kind == dataset.Text {
		for _, level := range c.levels[p] {
			if len(levels.names) < mostListedLevels {
				levels.number([]byte(words.Clip(level)))
			}
		}
	}
	for at := p; at < c.rows*width; at += width {
		v := c.x[at]
		if math.IsNaN(v) {
			i.Missing++
			continue
		}
		*count++
		i.Min, i.Max = min(i.Min, v), max(i.Max, v)
		i.Mean += (v - i.Mean) / float64(*count)
	}
}

func (i *ColumnInfo) finish(count int, levels *dictionary) {
	if i.Kind == dataset.Text || count == 0 {
		i.Min, i.Max, i.Mean = 0, 0, 0
	}
	if i.Kind == dataset.Text && levels != nil { // which columns that cannot be used have not
		i.Levels = slices.Clone(levels.names)
		dataset.SortLevels(i.Levels)
	}
}
