package main

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/report"
)

// columnInfo sums up one column. Numbers ignore missing values; those of text columns
// and of columns with wrong cells are null.
type columnInfo struct {
	Name     string   `json:"name"`
	Kind     string   `json:"kind"`
	Missing  int      `json:"missing"`
	Wrong    int      `json:"wrong,omitempty"`   // texts in a column of numbers
	Example  string   `json:"example,omitempty"` // of a wrong cell
	Problem  string   `json:"problem,omitempty"` // why the column cannot be used
	Min      number   `json:"min"`
	Median   number   `json:"median"`
	Max      number   `json:"max"`
	Mean     number   `json:"mean"`
	SD       number   `json:"sd"`        // standard deviation
	Spread   number   `json:"robust_sd"` // 1.4826 times the median absolute deviation: the same for clean normal data
	Constant bool     `json:"constant,omitempty"`
	Levels   []string `json:"levels,omitempty"` // categories of a text column
}

// dataInfo is what `data info --json` prints.
type dataInfo struct {
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
	Summary    []columnInfo `json:"summary"`
}

// mostColumns is how many columns `data info` and `data head` show.
const mostColumns = 30

func infoCommand(a *app) *cobra.Command {
	var data dataFlags
	var all bool
	c := &cobra.Command{
		Use:   "info DATA",
		Short: "Size, columns, ranges, missing and wrong values",
		Long: `Show what is in a file: its format and size, and for each column its range, centre, spread, missing
values, categories, and cells that are not numbers where numbers are meant.

` + aboutData,
		Example: "  inlier data info sales.csv",
		Args:    arguments("DATA"),
		RunE: func(c *cobra.Command, args []string) error {
			info, err := a.dataInfo(c.Context(), args[0], data)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(info)
			}
			return a.showData(info, all)
		},
	}
	c.Flags().BoolVar(&all, "all", false, fmt.Sprintf("every column, also when there are more than %d", mostColumns))
	data.register(c)
	return c
}

// dataInfo looks at a file twice: leniently, which always succeeds on a readable file,
// and as a matrix, for medians.
func (a *app) dataInfo(ctx context.Context, path string, d dataFlags) (*dataInfo, error) {
	if err := a.standardInput(path); err != nil {
		return nil, err
	}
	seen, set, err := dataset.Inspect(ctx, path, a.options(d, wanted{missing: true, text: true}))
	if err != nil {
		return nil, err
	}
	info := &dataInfo{Name: seen.Name, Format: string(seen.Format), Compressed: seen.Compressed, Bytes: seen.Bytes, Rows: seen.Rows,
		Columns: len(seen.Columns), Header: seen.Header, Delimiter: seen.Delimiter, Shape: seen.Shape, Label: seen.Label, Classes: seen.Classes}
	nan := number(math.NaN())
	position := map[string]int{} // of the columns of the set
	if set != nil {
		for j, name := range set.Columns {
			position[name] = j
		}
	}
	info.Summary = make([]columnInfo, 0, len(seen.Columns))
	for _, c := range seen.Columns {
		column := columnInfo{Min: nan, Median: nan, Max: nan, Mean: nan, SD: nan, Spread: nan}
		if c.Kind != dataset.Text && c.Problem == "" && c.Wrong == 0 && c.Missing < seen.Rows {
			column.Min, column.Max, column.Mean = number(c.Min), number(c.Max), number(c.Mean)
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

// spreadOf is the median, the standard deviation and the robust one of a column.
func spreadOf(set *dataset.Set, j int) (median, sd, spread number) {
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
	return number(middle), number(math.Sqrt(square / float64(len(values)-1))), number(robust)
}

func (a *app) showData(info *dataInfo, all bool) error {
	format := info.Format
	if info.Compressed {
		format += ", compressed"
	}
	list := []string{"data", info.Name, "format", fmt.Sprintf("%s, %s", format, size(info.Bytes)),
		"size", fmt.Sprintf("%s x %s", plural(info.Rows, "row"), plural(info.Columns, "column"))}
	if info.Shape != nil {
		list = append(list, "shape of a row", shapeText(info.Shape))
	}
	list = append(list, "missing values", strconv.Itoa(info.Missing), "labels", info.Label)
	if info.Classes != nil {
		list = append(list, "classes", shorten(info.Classes, 12))
	}
	a.pairs(list...)
	t := &report.Table{Columns: []report.Column{{Name: "column"}, {Name: "missing"}, {Name: "min"}, {Name: "median"}, {Name: "max"}, {Name: "mean"}, {Name: "sd"}, {Name: "robust sd"}, {Name: "remark"}}}
	for j, c := range info.Summary {
		if j == mostColumns && !all {
			t.Notes = append(t.Notes, fmt.Sprintf("and %s more; --all shows them", plural(len(info.Summary)-j, "column")))
			break
		}
		t.Add(c.Name, c.Missing, float64(c.Min), float64(c.Median), float64(c.Max), float64(c.Mean), float64(c.SD), float64(c.Spread), c.remark())
	}
	fmt.Fprintln(a.out)
	return a.printTable(t, false)
}

// remark tells what is special about a column.
func (c *columnInfo) remark() string {
	switch {
	case c.Problem != "":
		return c.Problem
	case c.Wrong > 0:
		return fmt.Sprintf("%d not a number, such as %q", c.Wrong, c.Example)
	case c.Levels != nil:
		return fmt.Sprintf("text: %s", strings.TrimSuffix(shorten(c.Levels, 6), ", "))
	case c.Constant:
		return "constant"
	}
	return ""
}
