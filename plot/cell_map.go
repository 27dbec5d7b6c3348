package plot

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/report"
)

func cellMap() Kind {
	return Kind{
		Name: "cell-map", Needs: Needs{Subject: OfModels, Data: true, Checks: true},
		Shows:   "every cell of a table by how far it is from what the rest of its row suggests",
		Of:      "models that judge single cells, and the folder of a check",
		About:   "Red is higher than the rest of the row suggests, blue is lower, hatched is missing. Of a large table evenly spaced rows\nand columns are shown. MODEL may be the folder or the model.npz of inlier check: DATA is read as there and judged by what it learned,\nand each line is the worst row of its part of the table.",
		Params:  []Param{{Name: "rows", Kind: catalog.Text, Default: "some of all", Meaning: "rows to show, such as 1,5,20-23"}},
		Example: Example{Of: "orders.csv.check orders.csv", Out: "cells.png"},
		fits: func(m *fitted) bool {
			_, ok := m.Model.(catalog.Detector)
			return ok && m.about.Parameters["cell-loss"] != ""
		},
		draw: drawCellMap,
	}
}

func drawCellMap(ctx context.Context, j *job) (*Drawing, error) {
	m := j.models[0]
	cells := Cells{Title: "Cells of " + words.Base(j.data.Name) + " by " + m.about.Method, Rows: j.data.Rows(), Columns: j.data.Columns}
	return cells.Draw(j.text("rows"), func(rows, columns []int) ([][]float64, error) {
		part := j.data.Subset(rows)
		o, err := m.Model.(catalog.Detector).Outliers(ctx, part)
		if err != nil {
			return nil, err
		}
		off := make([][]float64, len(rows))
		for i := range off {
			for _, k := range columns {
				v := math.NaN()
				if x := part.X.At(i, k); x == x && o.Cells != nil {
					v = o.Cells.Deviation.At(i, k)
				}
				off[i] = append(off[i], v)
			}
		}
		return off, nil
	})
}

// What a cell map shows at most, and the deviation beyond which colours are the same.
const (
	mostMapRows    = 100
	mostMapColumns = 50
	mapReach       = 8
	namedRows      = 40 // whose numbers can be read beside them
)

// Cells are the cells of a table, to be drawn by how far each is from what was expected.
type Cells struct {
	Title   string
	Rows    int // of the table
	Columns []string
	Scores  []float64 // of rows: of a large table the worst of each stretch is shown; nil: evenly spaced rows
}

// cellLine is one row of the picture.
type cellLine struct {
	Row       int             `json:"row"`       // from 1
	Deviation []report.Number `json:"deviation"` // in standard deviations; null where the cell is missing
}

// Draw draws rows, such as 1,5,20-23, or some of the whole table. Off tells the deviations of the cells of rows and columns, in standard
// deviations, NaN where they are missing.
func (c *Cells) Draw(named string, off func(rows, columns []int) ([][]float64, error)) (*Drawing, error) {
	rows, err := parseRows(named, c.Rows)
	if err != nil {
		return nil, err
	}
	g := report.Grid{Colors: report.Diverging, Min: -mapReach, Max: mapReach, Key: "deviation", Hatched: true, X: report.Axis{Label: "column"}, Y: report.Axis{Label: "row"}}
	columns := evenly(len(c.Columns), mostMapColumns)
	text := "Every cell by how far it is from what the rest of its row suggests, in standard deviations: red is higher, blue is lower, hatched is missing."
	if rows == nil {
		if rows = evenly(c.Rows, mostMapRows); c.Scores != nil {
			rows = worstOfParts(c.Scores, mostMapRows)
		}
		g.Y.Min, g.Y.Max, g.Down = 0.5, float64(c.Rows)+0.5, true
	}
	if named != "" || len(rows) == c.Rows && c.Rows <= namedRows {
		for _, i := range rows {
			g.Rows = append(g.Rows, strconv.Itoa(i+1))
		}
	}
	if len(rows) < c.Rows && named == "" {
		if c.Scores == nil {
			text += fmt.Sprintf(" %d of %s are shown, evenly spaced.", len(rows), words.Plural(c.Rows, "row"))
		} else {
			text += fmt.Sprintf(" Each of the %d lines is the worst row of its part of %s.", len(rows), words.Plural(c.Rows, "row"))
		}
	}
	if len(columns) < len(c.Columns) {
		text += fmt.Sprintf(" %d of %s are shown, evenly spaced.", len(columns), words.Plural(len(c.Columns), "column"))
		g.X.Min, g.X.Max = 0.5, float64(len(c.Columns))+0.5
	} else {
		g.X.Label = ""
		for j := range c.Columns {
			g.Columns = append(g.Columns, words.Column(c.Columns, j))
		}
	}
	values, err := off(rows, columns)
	if err != nil {
		return nil, err
	}
	lines := make([]cellLine, len(rows))
	shown := make([]string, len(columns))
	for k, j := range columns {
		shown[k] = words.Column(c.Columns, j)
	}
	for k, line := range values {
		lines[k] = cellLine{rows[k] + 1, report.Numbers(line)}
		clipped := make([]float64, len(line))
		for j, v := range line {
			clipped[j] = math.Max(-mapReach, math.Min(mapReach, v))
		}
		g.Values = append(g.Values, clipped)
	}
	return &Drawing{Title: c.Title, Sections: []Section{{text, report.HeatMap(c.Title, g)}},
		Result: map[string]any{"of_rows": c.Rows, "of_columns": len(c.Columns), "columns": shown, "rows": lines}}, nil
}

// worstOfParts are the rows with the highest scores, one of each of so many parts, the first of equal ones.
func worstOfParts(scores []float64, most int) []int {
	n := len(scores)
	count := min(n, most)
	places := make([]int, count)
	for k := range places {
		from, to := k*n/count, (k+1)*n/count
		worst := from
		for i := from + 1; i < to; i++ {
			if scores[i] > scores[worst] {
				worst = i
			}
		}
		places[k] = worst
	}
	return places
}

// evenly are so many of n places, evenly spaced, or all.
func evenly(n, most int) []int {
	count := min(n, most)
	places := make([]int, count)
	for k := range places {
		places[k] = int((int64(2*k+1)*int64(n) - 1) / int64(2*count))
	}
	return places
}
