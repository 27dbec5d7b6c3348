package inlier

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/report"
)

// Points writes what linked pictures of a check draw: of every row its suspicion, verdict, distances from what the columns have in common, and
// values.
func (r *CheckResult) Points(ctx context.Context, w io.Writer) (Points, error) {
	return r.points(ctx, w, nil, mostPointColumns)
}

// points writes those of some rows, from 0; nil: all.
func (r *CheckResult) points(ctx context.Context, w io.Writer, some []int, most int) (Points, error) {
	p, f := newPoints(w, r.Rows, some), r.Found
	p.room = r.Table.Room()
	p.add(PointColumn{Name: "suspicion", Kind: "score", Scale: 1}, func(i int) float64 { return f.Score[i] })
	p.add(PointColumn{Name: "verdict", Kind: "verdict", Scale: 1}, func(i int) float64 {
		switch {
		case f.Wrong[i]:
			return wrongRow
		case f.Part[i] == check.PartExtreme:
			return extremeRow
		}
		return fineRow
	})
	if m := r.mapping(ctx); m != nil && r.Table.Room() == nil {
		if within, from, ok := m.distances(ctx, r, some); ok {
			p.distance("distance in line with the others", within, m.scoreCutoff)
			p.distance("distance from the others", from, m.orthogonalCutoff)
		}
	}
	for _, k := range r.pointed(most - len(p.Columns)) {
		c := &r.Table.Columns[k]
		about := PointColumn{Name: c.Name, Kind: c.Kind.String(), Scale: 1, Wrong: r.Columns[k].Wrong}
		switch {
		case c.Circle != nil:
			about.Centre, about.Scale = c.Circle.Least+c.Circle.Turn/2, c.Circle.Turn/2
		case c.Kind != tolerant.Category && c.Kind != tolerant.Boolean:
			if about.Centre, about.Scale = middle(c.Values); c.Kind == tolerant.Date {
				about.dated(c.Values, 1)
			}
		default:
			about.Levels = levels(c.Levels)
		}
		p.add(about, func(i int) float64 {
			v := asWritten(c, c.Values[i])
			if circle := c.Circle; circle != nil && v == circle.Least+circle.Turn { // where 0 stands too, or -180
				if text := r.Table.Text(i, k); circle.Least < 0 && strings.ContainsAny(text, "-−") || circle.Least == 0 && strings.Trim(text, " 0.,+-°") == "" {
					return circle.Least
				}
			}
			return v
		})
	}
	return p.end()
}

// asWritten is a value of a column as its file has it: directions and times of day are judged on a line that goes on across 360 degrees and midnight.
func asWritten(c *tolerant.Column, v float64) float64 {
	if c.Wraps {
		return v - 86400*math.Floor(v/86400)
	}
	return c.Within(v)
}

// pointed are the columns that pictures know, in the order of the file: of many those with the most wrong cells, then the first ones.
func (r *CheckResult) pointed(most int) []int {
	var list []int
	for k := range r.Table.Columns {
		if r.Table.Columns[k].Values != nil {
			list = append(list, k)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return r.Columns[b].Wrong - r.Columns[a].Wrong })
	list = list[:max(0, min(most, len(list)))]
	slices.Sort(list)
	return list
}

// CellMap is the most suspicious rows cell by cell: how far each cell is from what was expected, in standard deviations.
type CellMap struct {
	Rows    []int             `json:"rows"` // from 1, the most suspicious first
	Columns []string          `json:"columns"`
	Values  [][]report.Number `json:"values"` // null: missing
}

// CellMap is the map of so many rows; nil where there is none.
func (r *CheckResult) CellMap(most int) *CellMap {
	rows, columns := r.mapped(most)
	if len(rows) == 0 || len(columns) == 0 {
		return nil
	}
	m := &CellMap{Rows: fromOne(nil, rows)}
	for _, j := range columns {
		m.Columns = append(m.Columns, r.Columns[j].Name)
	}
	for _, line := range r.deviations(rows, columns) {
		for k, v := range line {
			line[k] = math.Trunc(v*10)/10 + 0 // no -0; a missing one stays missing
		}
		m.Values = append(m.Values, report.Numbers(line))
	}
	return m
}

// What the linked pictures of a page hold at most, so that it stays below 5 MB whatever the table.
const (
	linkedBytes   = 2_200_000 // of points; a third more as text
	linkedColumns = 30
	linkedRows    = 120     // of the cell map
	linkedText    = 300_000 // of reasons and names
)

// linkedAbout is what the linked pictures of a page know beside the points.
type linkedAbout struct {
	Points  Points         `json:"points"`
	Cells   *CellMap       `json:"cells"`
	Sampled bool           `json:"sampled"` // some rows are drawn, and their numbers from 1 follow the points, 4 bytes each
	Total   int            `json:"total"`
	Names   map[int]string `json:"names"` // of rows that are drawn, by place
	Whys    map[int]string `json:"whys"`  // why they are suspicious
}

// linked are the pictures of the page; nil where there is nothing to draw.
func (r *CheckResult) linked(ctx context.Context) report.Block {
	columns := 5 // suspicion, verdict, two distances, the number
	for k := range r.Table.Columns {
		if r.Table.Columns[k].Values != nil && columns <= linkedColumns {
			columns++
		}
	}
	about := linkedAbout{Total: r.Rows, Cells: r.CellMap(linkedRows), Names: map[int]string{}, Whys: map[int]string{}}
	var some []int
	if most := linkedBytes / (4 * columns); r.Rows > most {
		some, about.Sampled = r.spread(most), true
	}
	var packed bytes.Buffer
	var err error
	if about.Points, err = r.points(ctx, &packed, some, linkedColumns); err != nil || about.Points.Rows == 0 || len(about.Points.Columns) < 3 {
		return nil
	}
	left := linkedText
	for k := range about.Points.Rows {
		i := k
		if some != nil {
			i = some[k]
			packed.Write(binary.LittleEndian.AppendUint32(nil, uint32(i+1)))
		}
		if left > 0 && r.Found.Part[i] != 0 {
			about.Whys[k] = r.Why(i)
			left -= len(about.Whys[k]) + 12
		}
	}
	for k := 0; k < about.Points.Rows && left > 0 && r.named(); k++ {
		i := k
		if some != nil {
			i = some[k]
		}
		about.Names[k] = words.Shortened(words.Glimpse(r.Name(i)))
		left -= len(about.Names[k]) + 12
	}
	return &report.Linked{About: about, Points: packed.Bytes()}
}

// spread are so many rows: the wrong ones first, and others evenly.
func (r *CheckResult) spread(most int) []int {
	wrong := min(len(r.WrongRows), most/2)
	take := spill.Make[bool](r.Table.Room(), r.Rows)
	defer spill.Free(take)
	for k := range wrong {
		take[r.WrongRows[k*len(r.WrongRows)/wrong]-1] = true
	}
	for k := range most - wrong {
		take[int(int64(k)*int64(r.Rows)/int64(most-wrong))] = true
	}
	rows := make([]int, 0, most)
	for i, t := range take {
		if t {
			rows = append(rows, i)
		}
	}
	return rows
}
