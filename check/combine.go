package check

import (
	"context"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// combine makes one verdict of all looks and parts.
func (m *Model) combine(ctx context.Context, t *tolerant.Table, l *looks, found []candidate) (*Result, error) {
	n := t.Rows
	r := &Result{Rows: n, Score: make([]float64, n), P: make([]float64, n), Wrong: make([]bool, n), Part: make([]Part, n), reasons: map[int]string{}}
	ranks := [][]float64{rankOf(l.apart), rankOf(l.row), rankOf(l.lonely), rankOf(l.size)}
	for i := range n {
		row := max(l.row[i], l.lonely[i])
		p, part := l.verified[i], PartCell
		if row < p {
			p, part = row, PartRow
		}
		r.P[i] = min(1, 2*p)
		r.Part[i] = part
		loose := min(1, 3*min(l.cell[i], l.margin[i], l.row[i]))
		r.Score[i] = score(loose, ranks, i)
	}
	threshold := falseAlarms(r.P, m.settings)
	for i := range n {
		r.Wrong[i] = r.P[i] <= threshold
		if !r.Wrong[i] {
			r.Part[i] = ""
			if min(l.margin[i], l.row[i]) < 0.001 {
				r.Part[i] = PartExtreme
			}
		}
	}
	m.cellsOf(t, r, l, found)
	return r, nil
}

// score is the weight of the evidence where there is any, and the place among the others by
// all looks.
func score(p float64, ranks [][]float64, i int) float64 {
	evidence := -math.Log10(max(p, 1e-300))
	if evidence <= 1 {
		evidence = 0
	}
	sum, most := ranks[0][i], 0.0 // isolation, the best of them by itself, counts twice
	for _, r := range ranks {
		sum += r[i]
		most = max(most, r[i])
	}
	return evidence + (sum/float64(len(ranks)+1)+most)/2
}

// rankOf gives every p-value its place from 0 to 1, the smallest the highest; equal ones share theirs.
func rankOf(p []float64) []float64 {
	n := len(p)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case p[a] > p[b]:
			return -1
		case p[a] < p[b]:
			return 1
		}
		return 0
	})
	rank := make([]float64, n)
	for i := 0; i < n; {
		k := i
		for k < n && p[order[k]] == p[order[i]] {
			k++
		}
		for _, row := range order[i:k] {
			rank[row] = (float64(i+k) + 1) / 2 / float64(n)
		}
		i = k
	}
	return rank
}

// falseAlarms is the p-value up to which rows are called wrong, so that the expected share of false
// alarms among them is bounded (Benjamini and Hochberg 1995); with a share that the user expects,
// the p-value of that share.
func falseAlarms(p []float64, s Settings) float64 {
	n := len(p)
	sorted := slices.Clone(p)
	slices.Sort(sorted)
	if s.Expect > 0 {
		count := min(int(math.Round(s.Expect*float64(n))), n)
		if count == 0 {
			return -1
		}
		return min(sorted[count-1], 0.999)
	}
	level := s.FalseAlarms
	if level == 0 {
		level = 0.10
	}
	for k := n; k > 0; k-- {
		if sorted[k-1] <= level*float64(k)/float64(n) {
			return sorted[k-1]
		}
	}
	return -1
}

// cellsOf describes the suspicious cells of wrong rows.
func (m *Model) cellsOf(t *tolerant.Table, r *Result, l *looks, found []candidate) {
	tests := float64(max(m.judged, 1))
	for _, c := range found {
		if !r.Wrong[c.row] {
			continue
		}
		f := m.features[c.feature]
		change := f.change
		cell := Cell{Row: c.row, Column: f.column, Part: PartCell, P: min(1, tests*c.verified), Wrong: true}
		cell.Expected = change.Back(c.expected)
		cell.Low, cell.High = change.Back(c.expected-2*c.away), change.Back(c.expected+2*c.away)
		cell.Score = -math.Log10(max(c.p*tests, 1e-300))
		r.Cells = append(r.Cells, cell)
	}
}
