package inlier

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/report"
)

// Info is the job of looking at data: of a file its format and size, and for each column its range,
// centre, spread, missing values, categories and wrong cells.
type Info struct {
	Data Data `json:"data"`
}

// ColumnInfo sums up one column. Numbers ignore missing values; those of text columns
// and of columns with wrong cells are null.
type ColumnInfo struct {
	Name     string        `json:"name"`
	Kind     string        `json:"kind"`
	Missing  int           `json:"missing"`
	Wrong    int           `json:"wrong,omitempty"`   // texts in a column of numbers
	Example  string        `json:"example,omitempty"` // of a wrong cell
	Problem  string        `json:"problem,omitempty"` // why the column cannot be used
	Min      report.Number `json:"min"`
	Median   report.Number `json:"median"`
	Max      report.Number `json:"max"`
	Mean     report.Number `json:"mean"`
	SD       report.Number `json:"sd"`        // standard deviation
	Spread   report.Number `json:"robust_sd"` // 1.4826 times the median absolute deviation: the same for clean normal data
	Constant bool          `json:"constant,omitempty"`
	Levels   []string      `json:"levels,omitempty"` // categories of a text column
}

// InfoResult is what a file holds.
type InfoResult struct {
	Name       string       `json:"name"`
	Format     string       `json:"format"`
	Compressed bool         `json:"compressed,omitempty"`
	Bytes      int64        `json:"bytes,omitempty"`
	Rows       int          `json:"rows"`
	Columns    int          `json:"columns"`
	Header     bool         `json:"header"`
	Delimiter  string       `json:"delimiter,omitempty"`
	Shape      []int        `json:"shape,omitempty"`
	Missing    int          `json:"missing"`
	Label      string       `json:"label,omitempty"`
	Classes    []string     `json:"classes,omitempty"`
	Summary    []ColumnInfo `json:"summary"`
}

// Run looks at a file twice: leniently, which always succeeds on a readable file,
// and as a matrix, for medians.
func (i Info) Run(ctx context.Context, o Observer) (*InfoResult, error) {
	ctx = given.Context(ctx)
	r := newReporter("info", o)
	if i.Data.Set != nil || i.Data.Source != nil {
		set, err := i.Data.read(ctx, needs{Missing: true}, r)
		if err != nil {
			return nil, err
		}
		return infoOfSet(set), nil
	}
	r.phase("read")
	data, wanted := i.Data, needs{Missing: true, Text: true}
	if data.Tolerant {
		var err error
		if data, _, err = data.tolerate(ctx, wanted); err != nil {
			return nil, err
		}
	}
	files, err := data.files(ctx)
	if err != nil {
		return nil, err
	}
	options := data.options(wanted)
	options.More = files[1:]
	seen, set, err := file.Inspect(ctx, files[0], options)
	if err != nil {
		return nil, i.Data.hintTolerant(ctx, i.Data.unread(err))
	}
	if i.Data.Tolerant { // of what was read, not of its clean copy
		seen.Name, seen.Format, seen.Bytes = data.Path, "read tolerantly", 0
		if file, err := os.Stat(data.Path); err == nil {
			seen.Bytes = file.Size()
		}
	}
	info := &InfoResult{Name: seen.Name, Format: string(seen.Format), Compressed: seen.Compressed, Bytes: seen.Bytes, Rows: seen.Rows,
		Columns: len(seen.Columns), Header: seen.Header, Delimiter: seen.Delimiter, Shape: seen.Shape, Label: seen.Label, Classes: seen.Classes}
	nan := report.Number(math.NaN())
	position := map[string]int{} // of the columns of the set
	if set != nil {
		for j, name := range set.Columns {
			position[name] = j
		}
	}
	info.Summary = make([]ColumnInfo, 0, len(seen.Columns))
	for _, c := range seen.Columns {
		column := ColumnInfo{Min: nan, Median: nan, Max: nan, Mean: nan, SD: nan, Spread: nan}
		if c.Kind != dataset.Text && c.Problem == "" && c.Wrong == 0 && c.Missing < seen.Rows {
			column.Min, column.Max, column.Mean = report.Number(c.Min), report.Number(c.Max), report.Number(c.Mean)
			column.Constant = c.Min == c.Max
			if j, ok := position[c.Name]; ok {
				column.Median, column.SD, column.Spread = spreadOf(set, j)
			}
		}
		column.Name, column.Kind, column.Missing, column.Wrong = c.Name, fmt.Sprint(c.Kind), c.Missing, c.Wrong
		column.Example, column.Problem, column.Levels = c.Example, c.Problem, c.Levels
		info.Missing += c.Missing
		info.Summary = append(info.Summary, column)
	}
	return info, nil
}

// infoOfSet sums up a table that a program holds.
func infoOfSet(set *dataset.Set) *InfoResult {
	info := &InfoResult{Name: set.Name, Format: "memory", Rows: set.Rows(), Columns: set.Dim(), Header: !set.Unnamed, Shape: set.Shape}
	if t := set.Target; t != nil {
		info.Label, info.Classes = t.Name, t.Classes
	}
	nan := report.Number(math.NaN())
	for j, name := range set.Columns {
		c := ColumnInfo{Name: name, Kind: string(dataset.Number), Min: nan, Median: nan, Max: nan, Mean: nan, SD: nan, Spread: nan}
		if coding := set.Coder.Of(name); coding != nil && !coding.OneHot {
			c.Kind, c.Levels = string(dataset.Text), coding.Levels
			info.Summary = append(info.Summary, c)
			continue
		}
		low, high, mean, count := math.Inf(1), math.Inf(-1), 0.0, 0
		for i := range set.Rows() {
			v := set.X.At(i, j)
			if math.IsNaN(v) {
				c.Missing++
				continue
			}
			count++
			low, high = math.Min(low, v), math.Max(high, v)
			mean += (v - mean) / float64(count)
		}
		if count > 0 {
			c.Min, c.Max, c.Mean, c.Constant = report.Number(low), report.Number(high), report.Number(mean), low == high
			c.Median, c.SD, c.Spread = spreadOf(set, j)
		}
		info.Missing += c.Missing
		info.Summary = append(info.Summary, c)
	}
	return info
}

// spreadOf is the median, the standard deviation and the robust one of a column.
func spreadOf(set *dataset.Set, j int) (median, sd, spread report.Number) {
	values := make([]float64, 0, set.Rows())
	mean := 0.0
	for i := range set.Rows() {
		if v := set.X.At(i, j); !math.IsNaN(v) {
			values = append(values, v)
			mean += (v - mean) / float64(len(values))
		}
	}
	square := 0.0
	for _, v := range values {
		square += (v - mean) * (v - mean)
	}
	middle, robust := univariate.Deviation(values)
	return report.Number(middle), report.Number(math.Sqrt(square / float64(len(values)-1))), report.Number(robust)
}

// Remark tells what is special about a column.
func (c *ColumnInfo) Remark() string {
	switch {
	case c.Problem != "":
		return c.Problem
	case c.Wrong > 0:
		return fmt.Sprintf("%d not a number, such as %q", c.Wrong, c.Example)
	case c.Levels != nil:
		return fmt.Sprintf("text: %s", strings.TrimSuffix(words.List(c.Levels, 6), ", "))
	case c.Constant:
		return "constant"
	}
	return ""
}
