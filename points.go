package inlier

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/report"
)

// Points are what linked pictures of rows draw, column by column as 4-byte numbers, the little end first. Values are centred and
// scaled before, since so few digits do not tell 1e9 from 1e9 + 1.
type Points struct {
	Rows    int           `json:"rows"`
	Columns []PointColumn `json:"columns"`
}

// PointColumn is one number per row: value = centre + scale * what the bytes hold.
type PointColumn struct {
	Name   string          `json:"name"`
	Kind   string          `json:"kind" doc:"score, verdict, distance, row (its number in the file), or what the column was taken for"`
	Centre float64         `json:"centre"`
	Scale  float64         `json:"scale"`
	Log    bool            `json:"log,omitempty" doc:"It is the logarithm to base 10 of what is meant"`
	Day    bool            `json:"day,omitempty" doc:"Dates are days since 1970, not seconds"`
	Times  bool            `json:"times,omitempty" doc:"Dates have a time of day"`
	Clock  bool            `json:"clock,omitempty" doc:"Times have no date: they are those of a day, or amounts of time"`
	Levels []string        `json:"levels,omitempty" doc:"Words that the numbers stand for"`
	Wrong  int             `json:"wrong,omitempty" doc:"How many of its cells are wrong"`
	Cuts   []report.Number `json:"cuts,omitempty" doc:"Limits that a picture shows, in the unit of what is meant"`
}

// Numbers of the verdict column.
const (
	fineRow    = 0
	wrongRow   = 1
	extremeRow = 2
)

// mostPointColumns is how many columns of a table pictures know, and mostLevels how many bytes of words of one.
const (
	mostPointColumns = 60
	mostLevels       = 16 << 10
)

// levels are the words of a column that pictures tell; nil: too many.
func levels(words []string) []string {
	if len(strings.Join(words, `","`)) > mostLevels {
		return nil
	}
	return words
}

// pointWriter writes columns behind one another, of all rows or some.
type pointWriter struct {
	Points
	out  *bufio.Writer
	some []int // nil: all
	room *spill.Room
}

// newPoints begins; some are rows from 0, nil: all.
func newPoints(w io.Writer, rows int, some []int) *pointWriter {
	if some != nil {
		rows = len(some)
	}
	return &pointWriter{Points: Points{Rows: rows}, out: bufio.NewWriterSize(w, 1<<16), some: some}
}

// add writes a column; the first error stays with the writer.
func (p *pointWriter) add(c PointColumn, at func(i int) float64) {
	p.Columns = append(p.Columns, c)
	var b [4]byte
	last := 0
	for i := range p.Rows {
		if p.some != nil {
			i = p.some[i]
		}
		p.room.Reached(&last, i, 1)
		binary.LittleEndian.PutUint32(b[:], math.Float32bits(float32((at(i)-c.Centre)/c.Scale)))
		_, _ = p.out.Write(b[:])
	}
}

// dated says of a column that it holds dates, in units of so many seconds.
func (c *PointColumn) dated(values []float64, unit float64) {
	const few = 4 // days: no column of dates ends so soon after 1970 began
	c.Kind, c.Day = "date", unit > 1
	dated := false
	for _, v := range spill.Each(values) {
		days := v * unit / 86400 // nothing is true of a missing one
		c.Times = c.Times || math.Abs(days-math.Round(days)) > 1e-6
		dated = dated || days < 0 || days >= few
		if c.Times && dated {
			return
		}
	}
	c.Clock = c.Times && !dated
}

// distance writes the logarithm of distances from 0 up; a distance of 0 stands where the least other one does. Where all are 0, as those of
// few rows of many columns, there is nothing to draw.
func (p *pointWriter) distance(name string, values []float64, cut float64) {
	least := math.Inf(1)
	for _, v := range values {
		if v > 0 {
			least = min(least, v)
		}
	}
	if math.IsInf(least, 1) {
		return
	}
	c := PointColumn{Name: name, Kind: "distance", Scale: 1, Log: true}
	if cut > 0 {
		c.Cuts = []report.Number{report.Number(cut)}
	}
	p.add(c, func(i int) float64 { return math.Log10(max(least, values[i])) })
}

func (p *pointWriter) end() (Points, error) { return p.Points, p.out.Flush() }

// middle is the median of a column and half of the range of its inner nine tenths, or what comes nearest to that; of many values
// by some that are evenly spaced.
func middle(values []float64) (centre, scale float64) {
	const enough = 10_000
	kept, step := make([]float64, 0, min(len(values), 2*enough)), max(1, len(values)/enough)
	room, last := spill.Of(values), 0
	for i := 0; i < len(values); i += step {
		room.Reached(&last, i, 1)
		if v := values[i]; !math.IsNaN(v) {
			kept = append(kept, v)
		}
	}
	if len(kept) == 0 {
		return 0, 1
	}
	slices.Sort(kept)
	at := func(share float64) float64 { return kept[int(share*float64(len(kept)-1))] }
	centre = at(0.5)
	for _, tail := range []float64{0.05, 0.01, 0} {
		if scale = at(1-tail)/2 - at(tail)/2; scale > 0 && !math.IsInf(scale, 0) {
			return centre, scale
		}
	}
	return centre, 1
}
