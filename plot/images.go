package plot

import (
	"math"

	"github.com/inlier-ml/inlier/report"
)

// drawable tells whether a sample is an image: height, width and perhaps one or three colours.
func drawable(shape []int) bool {
	return len(shape) == 2 || len(shape) == 3 && (shape[2] == 1 || shape[2] == 3)
}

// pictures tells whether rows of so many columns are images of this shape.
func pictures(shape []int, columns int) bool { return drawable(shape) && product(shape) == columns }

func product(shape []int) int {
	n := 1
	for _, l := range shape {
		n *= l
	}
	return n
}

// stretched brings pixels to the range from 0 to 1.
func stretched(pixels []float64) []float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range pixels {
		low, high = math.Min(low, v), math.Max(high, v)
	}
	out := make([]float64, len(pixels))
	for i, v := range pixels {
		if high > low {
			out[i] = (v - low) / (high - low)
		}
	}
	return out
}

// centred brings a direction to the range from 0 to 1, with zero at one half.
func centred(direction []float64) []float64 {
	largest := 0.0
	for _, v := range direction {
		largest = math.Max(largest, math.Abs(v))
	}
	out := make([]float64, len(direction))
	for i, v := range direction {
		out[i] = 0.5
		if largest > 0 {
			out[i] += 0.5 * v / largest
		}
	}
	return out
}

// wrapAt breaks a gallery into lines of equal length, at most eight pictures each.
func wrapAt(pictures int) int {
	lines := max(1, (pictures+7)/8)
	return max(1, (pictures+lines-1)/lines)
}

// sheets breaks a gallery with many columns into several, so that the pictures stay large.
func sheets(title, text string, g report.Gallery) []Section {
	const most = 10
	n := len(g.ColumnNames)
	if n <= most {
		return []Section{{text, report.Images(title, g)}}
	}
	lines := (n + most - 1) / most
	per := (n + lines - 1) / lines
	var list []Section
	for first := 0; first < n; first += per {
		last := min(first+per, n)
		part := g
		part.ColumnNames, part.Cells, part.Captions = g.ColumnNames[first:last], nil, nil
		for _, row := range g.Cells {
			cells := make([][]float64, per) // places at the end stay empty, so that all pictures are of one size
			copy(cells, row[first:last])
			part.Cells = append(part.Cells, cells)
		}
		for _, row := range g.Captions {
			part.Captions = append(part.Captions, row[min(first, len(row)):min(last, len(row))])
		}
		list = append(list, Section{text, report.Images("", part)})
		text = ""
	}
	return list
}
