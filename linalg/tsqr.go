package linalg

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/refusal"
)

// TSQR solves weighted least-squares problems whose rows arrive in blocks. It keeps the
// triangular factor of the rows seen so far, p x p, and what it does to the right-hand
// sides, never the rows themselves and never their products, so the accuracy is that of
// an orthogonal factorisation. Two of them for different rows can be merged, in any
// grouping; a TSQR must not be used by several goroutines at once.
type TSQR struct {
	p, q    int
	r       []float64 // p x (p+q): the triangle, then the transformed right-hand sides
	squares []float64 // squared length of what no solution reaches, per right-hand side
	count   int       // rows taken in
	buffer  []float64 // rows that wait to be taken in
	pending int
	limit   int // rows that fit into buffer
	threads int // 0: Threads()
	alike   bool
	space   qrSpace
}

// NewTSQR returns an accumulator for rows of p coefficients and q right-hand sides.
func NewTSQR(p, q int) *TSQR {
	width := p + q
	return &TSQR{
		p: p, q: q,
		r:       make([]float64, p*width),
		squares: make([]float64, q),
		limit:   min(1024, max(128, 1<<18/max(width, 1))),
	}
}

// Alike says that all coefficients have one unit, and returns t: a column that is tiny beside
// the others then adds nothing to the rank, and [TSQR.Solve] is the pseudo-inverse. Otherwise
// columns count by their directions, whatever their units.
func (t *TSQR) Alike() *TSQR {
	t.alike = true
	return t
}

// Add takes in rows a (n x p) with right-hand sides b (n x q) and weights w >= 0, nil
// for ones. Rows of weight zero are left out.
func (t *TSQR) Add(a, b *mat.Dense, w []float64) error {
	n, p := a.Dims()
	if rows, q := b.Dims(); p != t.p || q != t.q || rows != n {
		return fmt.Errorf("linalg: %d x %d and %d x %d rows added to a problem of %d coefficients and %d right-hand sides", n, p, rows, q, t.p, t.q)
	}
	if err := checkWeights(w, n); err != nil {
		return err
	}
	left, right := a.RawMatrix(), b.RawMatrix()
	for i := range n {
		weight := weightAt(w, i)
		if weight == 0 {
			continue
		}
		t.add(left.Data[i*left.Stride:i*left.Stride+p], right.Data[i*right.Stride:i*right.Stride+t.q], math.Sqrt(weight))
	}
	return nil
}

// add takes in one row, multiplied by root.
func (t *TSQR) add(a, b []float64, root float64) {
	width := t.p + t.q
	if t.buffer == nil {
		t.buffer = make([]float64, t.limit*width)
	}
	row := t.buffer[t.pending*width : (t.pending+1)*width]
	copy(row, a)
	copy(row[t.p:], b)
	if root != 1 {
		scale(root, row)
	}
	if t.pending++; t.pending == t.limit {
		t.flush()
	}
}

// flush takes in the rows that wait.
func (t *TSQR) flush() {
	if t.pending > 0 {
		t.absorb(t.buffer, t.pending, false)
		t.count += t.pending
		t.pending = 0
	}
}

// absorb reduces rows of p+q entries into the triangle and overwrites them.
func (t *TSQR) absorb(rows []float64, count int, triangular bool) {
	width := t.p + t.q
	threads := t.threads
	if threads == 0 {
		threads = Threads()
	}
	t.space.triangularise(threads, t.r, width, rows, width, count, t.p, width, triangular)
	for i := range count {
		for c, x := range rows[i*width+t.p : (i+1)*width] {
			t.squares[c] += x * x
		}
	}
}

// Merge takes in all rows that another accumulator has met, which keeps them too.
func (t *TSQR) Merge(from *TSQR) {
	if from.p != t.p || from.q != t.q {
		panic("linalg: TSQR.Merge: problems of different sizes")
	}
	t.flush()
	from.flush()
	t.absorb(append([]float64(nil), from.r...), from.p, true)
	for c, s := range from.squares {
		t.squares[c] += s
	}
	t.count += from.count
}

// R returns the p x p upper triangular factor of the rows met so far: R'R is the sum of
// w a a'. Rows of R may have either sign.
func (t *TSQR) R() *mat.Dense {
	t.flush()
	r := mat.NewDense(t.p, t.p, nil)
	for i := range t.p {
		copy(r.RawRowView(i)[i:], t.r[i*(t.p+t.q)+i:i*(t.p+t.q)+t.p])
	}
	return r
}

// Right returns what became of the right-hand sides of the rows met so far, p x q: with
// the rows a = Q R it is Q'b. rest is the squared length of what lies outside Q, the sum
// of squares that no solution can remove.
func (t *TSQR) Right() (c *mat.Dense, rest float64) {
	t.flush()
	c = mat.NewDense(t.p, t.q, nil)
	for i := range t.p {
		copy(c.RawRowView(i), t.r[i*(t.p+t.q)+t.p:(i+1)*(t.p+t.q)])
	}
	for _, s := range t.squares {
		rest += s
	}
	return c, rest
}

// Solve returns the p x q matrix x that minimises the sum of w ||a x - b||^2 over the
// rows met so far plus lambda ||x||^2, lambda >= 0. Where that leaves x open (lambda is
// zero and columns depend on one another), x is the solution of least norm.
func (t *TSQR) Solve(lambda float64) (*mat.Dense, error) {
	f, err := t.factor(lambda)
	if err != nil {
		return nil, err
	}
	return f.solve(), nil
}

// factor completes the triangle with the penalty.
func (t *TSQR) factor(lambda float64) (*factored, error) {
	if !(lambda >= 0) || math.IsInf(lambda, 1) {
		return nil, refusal.Setting("lambda", "linalg: ridge penalty %v is not a finite number >= 0", lambda)
	}
	t.flush()
	all := &TSQR{p: t.p, q: t.q, r: append([]float64(nil), t.r...), squares: make([]float64, t.q), threads: t.threads}
	if lambda > 0 {
		width := t.p + t.q
		penalty := make([]float64, t.p*width)
		for i := range t.p {
			penalty[i*width+i] = math.Sqrt(lambda)
		}
		all.absorb(penalty, t.p, true)
	}
	if !allFinite(all.r) {
		return nil, fmt.Errorf("linalg: least squares with an entry that is not finite")
	}
	return newFactored(all.r, t.p, t.q, t.count, t.alike && lambda == 0), nil
}
