package report

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// Limits on what one layer draws. Beyond them marks fall on top of each other
// and only make the file large.
const (
	pointLimit = 2500
	lineLimit  = 3000
)

// pointLimit is the limit for the size of the frame: a phone shows fewer.
func (f *frame) pointLimit() int {
	const usual = 640 * 320 // of a desktop chart, in square points
	return int(pointLimit * min(max(float64(f.width()*f.height())/usual, 0.3), 1))
}

// thinPoints returns the indices of the points to draw, at most limit of them:
// one for each occupied cell of a mesh, the first in order, where the mesh is as
// fine as the limit allows. Lonely points, the interesting ones, always stay.
func thinPoints(points []vg.Point, limit int) []int {
	all := make([]int, len(points))
	for i := range all {
		all[i] = i
	}
	kept := all
	for mesh := 0.75; len(kept) > limit; mesh *= 1.25 {
		type place struct{ x, y int32 }
		seen := make(map[place]struct{}, limit)
		next := kept[:0:0]
		for _, i := range kept {
			at := place{int32(math.Floor(float64(points[i].X) / mesh)), int32(math.Floor(float64(points[i].Y) / mesh))}
			if _, occupied := seen[at]; occupied {
				continue
			}
			seen[at] = struct{}{}
			next = append(next, i)
		}
		kept = next
	}
	return kept
}

// thinLine drops the points of a polyline that do not change its look. When x
// rises, every column of the given width keeps its first, lowest, highest and last
// point; otherwise points that hardly differ from the one before go, then all but every
// so many-th.
func thinLine(line []vg.Point, limit int) []vg.Point {
	if len(line) <= limit {
		return line
	}
	rising := true
	for i := 1; i < len(line) && rising; i++ {
		rising = line[i].X >= line[i-1].X
	}
	if rising {
		width := line[len(line)-1].X - line[0].X
		return thinRising(line, max(width/vg.Length(limit/4), 1e-9))
	}
	kept := line
	const visible = 2.5 // points nearer than this may go without a trace
	for near := vg.Length(0.25); len(kept) > limit && near < visible; near *= 1.5 {
		next := kept[:1:1]
		for i, p := range kept[1:] {
			if d := p.Sub(next[len(next)-1]); i == len(kept)-2 || math.Hypot(float64(d.X), float64(d.Y)) >= float64(near) {
				next = append(next, p)
			}
		}
		kept = next
	}
	if len(kept) <= limit {
		return kept
	}
	return everyFew(kept, limit)
}

// everyFew keeps every so many-th point of a tangle and those farthest out.
func everyFew(line []vg.Point, limit int) []vg.Point {
	stride := (len(line) + limit - 1) / limit
	var far [4]int // left, right, lowest, highest
	for i, p := range line {
		for k, better := range [4]bool{p.X < line[far[0]].X, p.X > line[far[1]].X, p.Y < line[far[2]].Y, p.Y > line[far[3]].Y} {
			if better {
				far[k] = i
			}
		}
	}
	var kept []vg.Point
	for i, p := range line {
		if i%stride == 0 || i == len(line)-1 || slices.Contains(far[:], i) {
			kept = append(kept, p)
		}
	}
	return kept
}

func thinRising(line []vg.Point, column vg.Length) []vg.Point {
	var kept []vg.Point
	for start := 0; start < len(line); {
		end := start + 1
		low, high := start, start
		limit := line[start].X + column
		for end < len(line) && line[end].X < limit {
			if line[end].Y < line[low].Y {
				low = end
			}
			if line[end].Y > line[high].Y {
				high = end
			}
			end++
		}
		last := -1
		for _, i := range []int{start, min(low, high), max(low, high), end - 1} {
			if i > last {
				kept = append(kept, line[i])
				last = i
			}
		}
		start = end
	}
	return kept
}
