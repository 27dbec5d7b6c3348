package check

import (
	"context"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/linalg"
)

// A row of a batch may be unlike all that were learned and still be none by itself: many of the learned rows may have been unlike the others as well,
// or other rows of the batch are as it is. Such rows are far and not wrong, as they are where a table is judged by itself.

const (
	// kindLearned learned rows are looked at to see how many are unlike the others, and kindUnlike is the p-value from which on they are.
	kindLearned, kindUnlike = 4096, 1e-3
	// kindFewest rows of a batch of which at most kindShare is called wrong are of a kind where they are within kindNear of each other: the root of the mean square of the
	// differences of their cells, which is 1.4 between any two clean rows of columns that do not follow each other.
	kindFewest, kindShare, kindNear = 4, 0.25, 2.0
)

// ofAKind takes back the verdict on rows of a batch as a whole, of which no cell is suspicious, where they are of a kind.
func (m *Model) ofAKind(ctx context.Context, t *tolerant.Table, r *Result, celled []bool) {
	var unlike []int
	called := 0
	for i, wrong := range r.Wrong {
		if wrong {
			called++
		}
		if wrong && r.Part[i] == PartRow && !celled[i] {
			unlike = append(unlike, i)
		}
	}
	if len(unlike) == 0 || m.predict == nil {
		return
	}
	learned := m.unlike(ctx)
	rows := make([][]float64, len(unlike))
	for k, i := range unlike {
		rows[k] = make([]float64, len(m.features))
		fill(rows[k], t, m.features, i)
	}
	few := called <= max(kindFewest, int(kindShare*float64(r.Rows)))
	alone := make([]bool, len(unlike))
	linalg.Parallel(len(unlike), func(k int) {
		if learned != nil && r.P[unlike[k]] >= learned[0]/10 {
			return
		}
		others := 0
		for l := range rows {
			if l != k && few && nearEachOther(rows[k], rows[l]) {
				if others++; others >= kindFewest-1 {
					return
				}
			}
		}
		alone[k] = true
	})
	for k, i := range unlike {
		if !alone[k] {
			r.Wrong[i] = false
		}
	}
}

// nearEachOther says that two rows, transformed, are of a kind.
func nearEachOther(a, b []float64) bool {
	sum, n := 0.0, 0.0
	for j, v := range a {
		if e := v - b[j]; e == e {
			sum += e * e
			n++
		}
	}
	return n > 0 && math.Sqrt(sum/n) <= kindNear
}

// unlike are the p-values of the learned rows that are unlike the others as a whole, ascending, where these are many.
func (m *Model) unlike(ctx context.Context) []float64 {
	const block = 256
	t, d := m.view.table, len(m.features)
	blocks := (t.Rows + block - 1) / block
	every := max(1, blocks*block/kindLearned)
	l := newLooks(nil, t.Rows)
	linalg.Parallel((blocks+every-1)/every, func(b int) {
		if first := b * every * block; ctx.Err() == nil {
			m.look(t, first, newGlance(min(block, t.Rows-first), d), l)
		}
	})
	var p []float64
	looked := 0
	for i := range t.Rows {
		if i/block%every != 0 {
			continue
		}
		looked++
		if own := 4 * max(l.row[i], l.joint[i], l.lonely[i]); own < kindUnlike && l.verified[i] >= suspicious {
			p = append(p, own)
		}
	}
	if len(p) <= max(2, int(mostUnlike*float64(looked))) {
		return nil
	}
	slices.Sort(p)
	return p
}
