package inlier

import (
	"fmt"
	"math"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/linalg"
)

// timesOver says that nearly all rows of a table are there twice, or more often; empty where they are not. Rows of few values
// are equal by chance, but not all of them equally often.
func timesOver(t *tolerant.Table) string {
	const fewest, nearlyAll = 20, 0.9
	var columns [][]float64
	for j := range t.Columns {
		if c := &t.Columns[j]; c.Values != nil && !c.Constant() {
			columns = append(columns, c.Values)
		}
	}
	if len(columns) < 2 || t.Rows < fewest {
		return ""
	}
	hashes := spill.Make[uint64](t.Room(), t.Rows)
	defer spill.Free(hashes)
	linalg.Spans(t.Rows, func(from, to int) {
		for _, values := range columns {
			for i, v := range values[from:to] {
				bits := math.Float64bits(v)
				if v != v { // of whatever kind
					bits = 1
				}
				h := (hashes[from+i] ^ bits) * 0x9e3779b97f4a7c15
				hashes[from+i] = h ^ h>>29
			}
		}
		t.Room().Passed(int64(to-from) * 8 * int64(len(columns)+1))
	})
	spill.Sort(hashes)
	often := map[int]int{} // rows that are there so many times
	for from := 0; from < len(hashes); {
		to := from + 1
		for to < len(hashes) && hashes[to] == hashes[from] {
			to++
		}
		often[to-from] += to - from
		from = to
	}
	for times, rows := range often {
		if times < 2 || float64(rows) < nearlyAll*float64(t.Rows) || rows/times < 5 {
			continue
		}
		count := map[int]string{2: "twice", 3: "three times"}[times]
		if count == "" {
			count = fmt.Sprintf("%d times", times)
		}
		if rows == t.Rows {
			return fmt.Sprintf("Every row is there %s.", count)
		}
		return fmt.Sprintf("%d of the rows are there %s.", rows, count)
	}
	return ""
}
