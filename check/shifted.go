package check

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/linalg"
)

// A row may be right but for the columns in which its cells stand: a field is missing, there is one too many, or a text with an unquoted delimiter in it
// came apart. Read cell by cell nearly all of them are wrong; put back by one column none is. That is one mistake, and it has another remedy.

const (
	// shiftTells is by how many odd cells fewer a row has with its cells put back, of a row whose fields are too many or too few raggedTells.
	shiftTells, raggedTells = 3, 2
	// shiftColumns are the most columns of tables in which it is looked for, since every column is tried.
	shiftColumns = 200
	// seldomMissing is the share of empty cells up to which one is odd, and rareLevel that of a word.
	seldomMissing, rareLevel = 0.01, 0.002
	// A word that has at most the share foreignLevel of its column, and foreignTimes that in a column beside it, stands in the wrong one.
	foreignLevel, foreignTimes = 0.01, 10
	// shiftOdd is the transformed value from which on a cell is odd by itself.
	shiftOdd = 5
	// movedMost is the share of rows that may have moved up to which their empty cells are not counted among those that a column has.
	movedMost = 0.05
	// letteredLook are the cells that are looked at to see whether a column always has letters, letteredLeast those that must be there.
	letteredLook, letteredLeast = 1000, 5
)

// shift is a way in which the cells of a row may have moved: what stood where before.
type shift struct {
	texts []string // by column
	lost  int      // column whose cell nobody knows; -1: none
	from  int      // first column that is another
	why   string
}

// shifting looks for rows whose cells stand in other columns.
type shifting struct {
	*lister
	*oneRow
	counts map[int][]float64 // of words, by column: their shares
	gaps   map[int]bool      // columns that are hardly ever empty
	unsure map[int]bool      // rows that may have moved, see displaced
	worded map[int]bool      // columns of words or text in all of whose cells are letters
}

// shiftedRows are the cells of rows that have moved, by row.
func (l *lister) shiftedRows() map[int][]Cell {
	out := map[int][]Cell{}
	if l.model.predict == nil || len(l.table.Columns) > shiftColumns || len(l.table.Columns) < 3 {
		return out
	}
	var unsure map[int]bool
	made := func() *shifting {
		return &shifting{l, newOneRow(len(l.model.features)), map[int][]float64{}, map[int]bool{}, unsure, map[int]bool{}}
	}
	t, r := l.table, l.result
	unsure = made().displaced()
	var idle sync.Pool
	var lock sync.Mutex
	const stretch = 1 << 13
	linalg.Parallel((r.Rows+stretch-1)/stretch, func(k int) {
		s, ok := idle.Get().(*shifting)
		if !ok {
			s = made()
		}
		defer idle.Put(s)
		last := 0
		for row := k * stretch; row < min((k+1)*stretch, r.Rows); row++ {
			// Rows that moved are many at times, and then their cells are a mark of missing values, a habit or a group: nobody calls them wrong.
			if !r.Wrong[row] && (l.model.settings.Expect > 0 || r.Part[row] != PartExtreme && !unsure[row]) {
				continue
			}
			t.Room().Reached(&last, row, len(t.Columns))
			if cells := s.row(row); cells != nil {
				lock.Lock()
				out[row] = cells
				lock.Unlock()
			}
		}
		t.Room().Passed(2 * stretch)
	})
	for row, cells := range out {
		if !r.Wrong[row] {
			r.P[row], r.Score[row] = 0, max(r.Score[row], cells[0].Score)
		}
		r.Wrong[row], r.Part[row] = true, PartShifted
	}
	return out
}

// row tells of one row.
func (s *shifting) row(row int) []Cell {
	t := s.table
	tells := shiftTells
	_, ragged := slices.BinarySearch(t.Ragged, row)
	if ragged {
		tells = raggedTells
	}
	now := make([]float64, len(t.Columns))
	strange := make([]bool, len(t.Columns)) // empty or unreadable, and this is odd
	plain := !ragged                        // all cells are numbers and dates, of which none is odd: their texts need not be looked at
	for c := range t.Columns {
		now[c] = math.NaN()
		if column := &t.Columns[c]; len(column.Values) == t.Rows {
			now[c] = column.Values[row]
			_, misfit := slices.BinarySearch(column.Misfits, row)
			strange[c] = misfit || s.odd(c, now[c])
			plain = plain && !strange[c] && now[c] == now[c] && (column.Kind == tolerant.Number || column.Kind == tolerant.Date)
		} else {
			plain = false
		}
	}
	if plain {
		return nil
	}
	fields := t.Fields(row)
	if fields == nil {
		return nil
	}
	words := 0 // that belong to the column beside theirs, and can stand in theirs by no slip
	for c := range min(len(fields), len(t.Columns)) {
		column := &t.Columns[c]
		if (column.Kind == tolerant.Number || column.Kind == tolerant.Date) && now[c] != now[c] && hasLetter(fields[c]) && s.beside(c, fields[c], foreignLevel) {
			strange[c] = true
			words++
		} else if fields[c] != "" && !hasLetter(fields[c]) && s.lettered(c) {
			strange[c] = true
		}
	}
	if !ragged && !slices.Contains(strange, true) && fields[len(fields)-1] != "" {
		return nil
	}
	was := s.count(now, strange, -1) + words
	if was < tells {
		return nil
	}
	var best *shift
	least, worst := was-tells, math.Inf(1)
	for _, way := range s.ways(fields, strange) {
		values, unfit := make([]float64, len(t.Columns)), make([]bool, len(t.Columns))
		for c, text := range way.texts {
			v, ok := t.Read(c, text)
			if len(t.Columns[c].Values) != t.Rows {
				values[c], unfit[c] = math.NaN(), text != "" && !hasLetter(text) && s.lettered(c)
				continue
			}
			values[c], unfit[c] = v, !ok
			if t.Columns[c].Kind == tolerant.Category && !ok {
				values[c], unfit[c] = math.NaN(), way.from != c || way.lost >= 0 // a text that came apart may be a new one
			}
			unfit[c] = unfit[c] || ok && s.odd(c, v) || text != "" && !hasLetter(text) && s.lettered(c)
		}
		if odd := s.count(values, unfit, way.lost); odd <= min(least, was/4) {
			if most := s.most(values); odd < least || best == nil || most < worst {
				best, least, worst = &way, odd, most
			}
		}
	}
	if best == nil {
		return nil
	}
	return s.cells(row, fields, best, strange)
}

// ways are those in which the cells may have moved.
func (s *shifting) ways(fields []string, strange []bool) (out []shift) {
	t := s.table
	width := len(t.Columns)
	name := func(c int) string { return words.Clip(t.Columns[c].Name) }
	right := func(from int) string {
		by := "one column"
		if n := len(fields) - width; n > 1 {
			by = words.Plural(n, "column")
		}
		return fmt.Sprintf("the cells from %s on stand %s too far to the right", name(from), by)
	}
	if more := len(fields) - width; more > 0 {
		for j := range width {
			parts := slices.DeleteFunc(slices.Clone(fields[j:j+more+1]), func(f string) bool { return f == "" })
			rest := func(joined string) []string { return slices.Concat(fields[:j], []string{joined}, fields[j+more+1:]) }
			why := right(min(j+1, width-1)) + ", since " + name(j) + " came apart"
			if len(parts) < 2 {
				why = right(j) + ", behind a field too many"
			}
			joints := []string{", "}
			if t.Columns[j].Kind == tolerant.Number {
				joints = []string{".", ",", ""}
			}
			for _, joint := range joints[:max(1, min(len(joints), 3*(len(parts)-1)))] {
				out = append(out, shift{rest(strings.Join(parts, joint)), -1, j, why})
			}
		}
		return out
	}
	full := slices.Concat(fields, make([]string, width-len(fields)))
	if len(fields) == width {
		for j := range width - 1 {
			if strange[j] || full[j] == "" {
				out = append(out, shift{slices.Concat(full[:j], full[j+1:], []string{""}), width - 1, j, right(min(j+1, width-1)) + ", behind a field too many"})
			}
		}
	}
	if full[width-1] == "" || strange[width-1] {
		for j := range width {
			why := fmt.Sprintf("the cells from %s on stand one column too far to the left, behind a field that is missing", name(j))
			out = append(out, shift{slices.Concat(full[:j], []string{""}, full[j:width-1]), j, j, why})
		}
	}
	return out
}

// count is how many cells of a row are odd: by themselves, or beside the others.
func (s *shifting) count(values []float64, strange []bool, lost int) int {
	seen := slices.Clone(strange)
	if lost >= 0 {
		seen[lost] = false
	}
	s.transform(values)
	s.model.predict.rows(s.z, s.y, s.residual, nil)
	for j, f := range s.model.features {
		if z, e := s.z.At(0, j), s.residual.At(0, j); f.column != lost && f.level < 0 && (math.Abs(z) > shiftOdd || f.judged() && math.Abs(e) > cut) {
			seen[f.column] = true
		}
	}
	n := 0
	for _, is := range seen {
		if is {
			n++
		}
	}
	return n
}

// most is the largest residual of a row.
func (s *shifting) most(values []float64) float64 {
	s.transform(values)
	return s.model.worst(s.z, s.y, s.residual)
}

func (s *shifting) transform(values []float64) {
	to := s.z.RawRowView(0)
	for j := range s.model.features {
		to[j] = s.model.features[j].forward(values[s.model.features[j].column])
	}
}

// cells are those that stand where they do not belong, the strangest first.
func (s *shifting) cells(row int, fields []string, way *shift, strange []bool) (out []Cell) {
	t := s.table
	for pass := range 2 {
		for c, text := range way.texts {
			is := ""
			if c < len(fields) {
				is = fields[c]
			}
			if is == text || strange[c] != (pass == 0) {
				continue
			}
			cell := Cell{Row: row, Column: c, Part: PartShifted, Expected: math.NaN(), Low: math.NaN(), High: math.NaN(), Score: 300, Wrong: true, Level: text}
			if v, ok := t.Read(c, text); ok && t.Columns[c].Kind != tolerant.Category {
				cell.Expected = v
			}
			what := fmt.Sprintf("%s is %s", words.Clip(t.Columns[c].Name), quoted(is))
			if is == "" {
				what = words.Clip(t.Columns[c].Name) + " is empty"
			}
			if text != "" {
				what += fmt.Sprintf(", where %s belongs", quoted(text))
			}
			cell.Why = way.why + "; " + what
			out = append(out, cell)
		}
	}
	return out
}

func quoted(text string) string { return `"` + words.Clip(text) + `"` }
