package check

import "math"

// both names the sum and a term of the k-th row of a walk where they are wrong together: they changed places, or the row is shifted or from elsewhere.
// Then the next row breaks the law as well, by another amount, and one that no term of it explains. nil where that is not so.
func (r *running) both(g *guilt, w *walk, k int) []Suspicion {
	next := r.misses(w, k+1)
	if next != next || next == 0 {
		return nil
	}
	alone := k+2 >= w.rows || r.misses(w, k+2) == 0 // the row behind is not broken by a sum of its own
	row := w.row(r, k)
	step, added, size := r.step(w, k)
	given, sums := g.table.Columns[r.sum].Values[row], g.column(r.sum).description
	sum := given + next // with which the next row holds
	here, there := r.name(g, w, k, step-added), r.name(g, w, k+1, next)
	apart := likelier(g, &here) + likelier(g, &there)
	best, most := term{column: -1}, apart+levelWeights
	meant := 0.0
	for _, f := range r.terms {
		values := g.table.Columns[f.column].Values
		was := values[row]
		want := (step + next - added) / f.slope // beside what is there
		if was == was {
			want += was
		}
		limit := 2 * r.limit(size+math.Abs(next))
		if math.Abs(want-given) <= limit && math.Abs(sum-was) <= limit { // they changed places
			best, meant, most = f, want, math.Inf(1)
			continue
		}
		d := g.column(f.column).description
		weight := distance(given, sums) - distance(sum, sums) - distance(want, d)
		if was == was {
			weight += distance(was, d)
		}
		if alone && weight > most {
			best, meant, most = f, want, weight
		}
	}
	if best.column < 0 {
		return nil
	}
	return []Suspicion{r.accuse(g.table, row, r.sum, sum), r.accuse(g.table, row, best.column, meant)}
}

// likelier is by how much a cell is nearer to what its column has when it is what was expected.
func likelier(g *guilt, s *Suspicion) float64 {
	d, given := g.column(s.Column).description, g.table.Columns[s.Column].Values[s.Row]
	if given != given {
		return -distance(s.Expected, d)
	}
	return distance(given, d) - distance(s.Expected, d)
}
