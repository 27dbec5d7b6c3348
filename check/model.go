package check

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/linalg"
)

// Model is what was learned of a table: how its columns are distributed, how they predict each
// other, which rows are usual. It is immutable and safe for many goroutines.
type Model struct {
	settings Settings
	features []feature
	judged   int // features whose cells are judged
	columns  int
	trained  *tolerant.Table // rows of it do not vouch for themselves
	view     *view

	predict *conditional
	cells   []sides // per feature: standardised residuals of cells
	margins []sides // per feature: transformed values
	rows    tail    // Mahalanobis distances
	joint   tail    // sizes of all residuals of a row together
	near    *neighbours
	asked   tail    // differences from what neighbours say, of cells of all columns
	askedOf []tail  // the same by feature
	grids   []grid  // per feature: of raw values
	freedom float64 // degrees of freedom of a t distribution below which no p-value of a cell falls
	// five and most are the chances beyond so many eighths of a spread of a t distribution with five degrees of freedom, and with freedom.
	five, most []float64
	lonely     tail // distances to the nearest rows
	cuts       *isolation
	apart      tail // isolation
}

// size is how much is asked of tables of a size: in large ones only the suspicious rows and cells
// are looked at again.
type size struct {
	neighbours int     // rows that others are held against
	trees      int     // of the isolation
	alone      float64 // p-value of a row from which on it is asked how alone it is
	again      float64 // p-value, times the row's cells, from which on a cell is looked at again
}

func sizeOf(rows int) size {
	if rows <= 50000 {
		return size{2000, 100, 1, suspicious}
	}
	return size{1000, 40, 0.05, 0.01}
}

// Learn learns from a table. A cancelled context ends it with the context's error.
func Learn(ctx context.Context, t *tolerant.Table, s Settings, observe Observe) (*Model, error) {
	ctx = given.Context(ctx)
	if observe == nil {
		observe = func(string, float64) {}
	}
	observe("learn", 0)
	v, err := newView(ctx, t, s)
	if err != nil {
		return nil, err
	}
	if v.laws, err = learnLaws(ctx, t, s.Seed); err != nil {
		return nil, err
	}
	v.laws.derive(v.features)
	m := &Model{settings: s, features: v.features, columns: len(t.Columns), trained: t, view: v}
	few, derived := make([]bool, len(v.features)), make([]bool, len(v.features))
	for j, f := range v.features {
		few[j], derived[j] = f.few, f.derived
		if f.judged() {
			m.judged++
		}
	}
	if v.z == nil || len(v.sample) < 2 {
		return m, nil
	}
	observe("learn", 0.2)
	m.predict = learnConditional(v.z, few, derived)
	v.predict = m.predict
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	observe("learn", 0.5)
	n, d := v.z.Dims()
	y, residual := mat.NewDense(n, d, nil), mat.NewDense(n, d, nil)
	distance := make([]float64, n)
	m.predict.rows(v.z, y, residual, distance)
	m.cells, m.margins = make([]sides, d), make([]sides, d)
	linalg.Parallel(d, func(j int) {
		if !m.features[j].judged() {
			return
		}
		m.cells[j] = fitSides(mat.Col(nil, j, residual))
		m.margins[j] = fitSides(mat.Col(nil, j, v.z))
		m.cells[j].limit(1 / float64(m.judged)) // times the row's cells it would be 1 and more
		m.margins[j].limit(1 / float64(m.judged))
	})
	m.learnGrids(v)
	m.rows = fitTail(distance)
	together := make([]float64, n)
	for i := range n {
		together[i] = m.together(residual.RawRowView(i))
	}
	m.joint = fitTail(together)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	observe("learn", 0.7)
	size := sizeOf(t.Rows)
	m.near = chooseNeighbours(residual, y, v.sample, size.neighbours)
	m.freedom = max(1, float64(n)/25)
	m.learnAsked(residual, y)
	filled := filledIn(v.z, y)
	m.cuts = growIsolation(filled, size.trees, s.Seed)
	every := max(1, n/5000)
	count := (n + every - 1) / every
	lonely, apart, thinned := make([]float64, count), make([]float64, count), mat.NewDense(count, d, nil)
	for i := range count {
		thinned.SetRow(i, filled.RawRowView(i*every))
	}
	m.cuts.scores(thinned, apart)
	m.learnAlone(thinned, lonely, every)
	m.lonely, m.apart = fitTail(lonely), fitTail(apart)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	observe("learn", 1)
	return m, nil
}

// learnAlone is how far every so many-th row of the sample is from its nearest ones. The rows are clipped.
func (m *Model) learnAlone(rows *mat.Dense, to []float64, every int) {
	const block = 4 * batch
	linalg.Parallel((len(to)+block-1)/block, func(b int) {
		first, end := b*block, min((b+1)*block, len(to))
		some, self := make([][]float64, end-first), make([]int, end-first)
		for i := range some {
			some[i], self[i] = rows.RawRowView(first+i), m.view.sample[(first+i)*every]
			clip(some[i], some[i])
		}
		seek := m.near.seeker()
		defer seek.release()
		seek.alone(some, self, to[first:end])
	})
}

// cellsAsked are the cells whose neighbours are asked to learn what differences are usual.
const cellsAsked = 6000

// learnAsked asks the neighbours of cells all over the sample. One tail for all columns is right
// for rows: times the number of cells it is the chance that any of a row's cells differs so much.
func (m *Model) learnAsked(residual, clean *mat.Dense) {
	n, d := residual.Dims()
	rows := min(n, max(cellsAsked/max(m.judged, 1), 30))
	said := make([]float64, rows*d)
	linalg.Parallel(rows, func(k int) {
		i := int((float64(k) + 0.5) * float64(n) / float64(rows))
		row := make([]float64, d)
		clip(row, clean.RawRowView(i))
		var questions []question
		for j := range d {
			if t := residual.At(i, j); m.features[j].judged() && t == t {
				questions = append(questions, question{j, t, row, m.view.sample[i]})
			}
		}
		answers := make([]float64, len(questions))
		seek := m.near.seeker()
		defer seek.release()
		seek.ask(questions, answers)
		for j := range d {
			said[k*d+j] = math.NaN()
		}
		for q := range questions {
			said[k*d+questions[q].feature] = answers[q]
		}
	})
	if m.freedom >= 5 {
		m.five, m.most = make([]float64, 100*eighths), make([]float64, 100*eighths)
		for k := range m.five {
			m.five[k], m.most[k] = beyond(float64(k)/eighths, 5), beyond(float64(k)/eighths, m.freedom)
		}
	}
	m.askedOf = make([]tail, d)
	linalg.Parallel(d, func(j int) {
		own := make([]float64, rows)
		for k := range own {
			own[k] = said[k*d+j]
		}
		m.askedOf[j] = fitTail(own)
	})
	m.asked = fitTail(said)
}

// differs is the chance that a clean cell differs so much from what its neighbours say: as learned,
// or, where a table's odd columns have made that tail heavy for all, at most as a t distribution
// with five degrees of freedom has it.
func (m *Model) differs(j int, spreads float64) float64 {
	if spreads == 0 {
		return 1
	}
	if m.freedom < 5 {
		return beyond(spreads, m.freedom)
	}
	p := min(m.asked.p(spreads), m.askedOf[j].p(spreads))
	const rounding = 1e-9
	if k := int(eighths * spreads); k > eighths && k+1 < len(m.five) { // most chances are plainly larger or smaller than p
		switch {
		case p < m.five[k+1]*(1-rounding) && p > m.most[k]*(1+rounding):
			return p
		case p > m.five[k]*(1+rounding):
			return beyond(spreads, 5)
		}
	}
	return max(min(p, beyond(spreads, 5)), beyond(spreads, m.freedom))
}

// eighths is how many steps of the tables of chances there are to a spread.
const eighths = 8

// beyond is the chance that a t distribution has beyond so many spreads.
func beyond(spreads, freedom float64) float64 {
	return 2 * distuv.StudentsT{Sigma: 1, Nu: freedom}.Survival(spreads)
}

// together is the size of a row's residuals together, each bounded: far in one cell is not far as a whole.
func (m *Model) together(residual []float64) float64 {
	sum := 0.0
	for j, t := range residual {
		if t == t && m.features[j].judged() {
			sum += min(t*t, 100)
		}
	}
	return math.Sqrt(sum / float64(max(m.judged, 1)))
}

// filledIn is z with missing cells as predicted.
func filledIn(z, y *mat.Dense) *mat.Dense {
	filled := mat.DenseCopyOf(z)
	n, _ := z.Dims()
	for i := range n {
		fillMissing(filled.RawRowView(i), y.RawRowView(i))
	}
	return filled
}

func fillMissing(row, predicted []float64) {
	for j, v := range row {
		if v != v {
			row[j] = predicted[j]
		}
	}
}

// Run learns from a table and judges it.
func Run(ctx context.Context, t *tolerant.Table, s Settings, observe Observe) (*Result, error) {
	m, err := Learn(ctx, t, s, observe)
	if err != nil {
		return nil, err
	}
	return m.Judge(ctx, t)
}
