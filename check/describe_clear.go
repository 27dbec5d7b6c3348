package check

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// excuse says from which accusations a cell is free, although its row is wrong.
type excuse uint8

const (
	fromPrediction excuse = iota + 1 // that it does not fit the others
	fromAll
)

// of says that a part's word counts for nothing.
func (e excuse) of(p Part) bool { return e == fromAll || e == fromPrediction && p == PartCell }

// clear excuses cells of wrong rows for which another cell of the row answers: those that fit once the cells that break a law are what the law
// gives, or without the cells that are off their scale or their series, and of two cells that are in the wrong order the one that fits its row
// where the other does not.
func (l *lister) clear() {
	for k := range l.result.Found {
		part := l.result.Found[k].Part
		if part != PartRelation && part != PartCell && part != PartTime && part != PartCategory {
			continue
		}
		of, order := l.result.Found[k].Cells, l.said[k]
		for from := 0; from < len(order); {
			row, end := of[order[from]].Row, from
			for end < len(order) && of[order[end]].Row == row {
				end++
			}
			if some := l.candidates(row, row+1); len(some) > 0 && l.result.Wrong[row] {
				l.visits(row, row+1)
				cells := make([]*Suspicion, 0, end-from)
				for _, at := range order[from:end] {
					cells = append(cells, &of[at])
				}
				switch part {
				case PartRelation:
					l.answered(row, some, cells)
				case PartCategory:
					l.spelt(row, some, cells)
				default:
					l.without(row, some, cells)
				}
			}
			from = end
		}
	}
}

// without excuses the cells of one row that fit where those accused count as missing, or where a single one has another usual value. A series
// that is stuck takes along those that were predicted from it.
func (l *lister) without(row int, some []candidate, accused []*Suspicion) {
	m, d := l.model, len(l.model.features)
	own := l.room()
	defer l.rooms.Put(own)
	z, y, residual := own.z, own.y, own.residual
	fill(z.RawRowView(0), l.table, m.features, row)
	stays := slices.ContainsFunc(accused, func(s *Suspicion) bool { return s.Slip == slipStuck })
	var missing []int
	for _, s := range accused {
		for j, f := range m.features {
			if f.column == s.Column && s.P < surely && (s.Slip == slipStuck || !stays) {
				z.Set(0, j, math.NaN())
				missing = append(missing, j)
			}
		}
	}
	from := fromPrediction
	if stays {
		from = fromAll
	}
	m.predict.rows(z, y, residual, nil)
	for _, c := range some {
		e := residual.At(0, c.feature)
		if math.Abs(e) > cut && len(missing) == 1 && m.predict.local == nil { // the value that c asks of the accused
			p, j, k := m.predict, c.feature, missing[0]
			z.Set(0, k, y.At(0, k)-e*p.scale[j]*p.root[j]/p.omega[j*p.d+k])
			if e = math.Inf(1); math.Abs(z.At(0, k)) <= usually {
				if again := mat.NewDense(1, d, nil); m.worst(z, mat.NewDense(1, d, nil), again) <= cut {
					e = 0
				}
			}
			z.Set(0, k, math.NaN())
		}
		if math.Abs(e) <= cut {
			l.excuse(place{row, m.features[c.feature].column}, from)
		}
	}
}

// spelt excuses the cells of one row that fit once misspelt words are what they stand for: a word that nobody knows predicts nothing.
func (l *lister) spelt(row int, some []candidate, words []*Suspicion) {
	m := l.model
	own := l.room()
	defer l.rooms.Put(own)
	z, y, residual := own.z, own.y, own.residual
	fill(z.RawRowView(0), l.table, m.features, row)
	given := false
	for _, s := range words {
		for j, f := range m.features {
			if f.column == s.Column && f.level >= 0 && s.Level != "" {
				z.Set(0, j, f.forward(float64(slices.Index(l.table.Columns[f.column].Levels, s.Level))))
				given = true
			}
		}
	}
	if !given {
		return
	}
	m.predict.rows(z, y, residual, nil)
	for _, c := range some {
		if math.Abs(residual.At(0, c.feature)) <= cut {
			l.excuse(place{row, m.features[c.feature].column}, fromPrediction)
		}
	}
}

// usually is the transformed value up to which nearly all are.
const usually = 3

// answered excuses cells of one row.
func (l *lister) answered(row int, some []candidate, cells []*Suspicion) {
	m := l.model
	own := l.room()
	defer l.rooms.Put(own)
	z, y, residual := own.z, own.y, own.residual
	fill(z.RawRowView(0), l.table, m.features, row)
	given := false
	for _, s := range cells {
		for j, f := range m.features {
			switch {
			case f.column != s.Column:
			case s.Certain && s.Expected == s.Expected && f.level < 0:
				z.Set(0, j, f.change.Forward(s.Expected))
				given = true
			case s.P < surely && !s.ordered: // what it is says nothing about the others
				z.Set(0, j, math.NaN())
				given = true
			}
		}
	}
	if given {
		m.predict.rows(z, y, residual, nil)
		for _, c := range some {
			if math.Abs(residual.At(0, c.feature)) <= cut {
				l.excuse(place{row, m.features[c.feature].column}, fromPrediction)
			}
		}
		return
	}
	without := map[int]float64{} // how well the rest of the row fits
	for _, c := range some {
		if float64(max(m.judged, 1))*c.verified < suspicious {
			was := z.At(0, c.feature)
			z.Set(0, c.feature, math.NaN())
			without[m.features[c.feature].column] = m.worst(z, y, residual)
			z.Set(0, c.feature, was)
		}
	}
	for _, a := range cells {
		for _, b := range cells {
			if a.Why != b.Why || a.Column == b.Column || !a.ordered { // not of one order
				continue
			}
			left, odd := without[a.Column]
			if other, too := without[b.Column]; odd && left <= cut && (too && other > cut || !too && l.alone(z, y, residual, b.Column) > cut) {
				l.excuse(place{row, b.Column}, fromAll)
				a.Doubt = false
			}
		}
	}
}

func (l *lister) excuse(p place, e excuse) { l.excused[p] = max(l.excused[p], e) }

// alone is how well the rest of a row fits without one column.
func (l *lister) alone(z, y, residual *mat.Dense, column int) float64 {
	row := slices.Clone(z.RawRowView(0))
	for j, f := range l.model.features {
		if f.column == column {
			z.Set(0, j, math.NaN())
		}
	}
	defer copy(z.RawRowView(0), row)
	return l.model.worst(z, y, residual)
}
