package onnx

import "gonum.org/v1/gonum/mat"

// Matrix is a constant matrix.
func (g *Graph) Matrix(m mat.Matrix) Value {
	rows, columns := m.Dims()
	data := make([]float64, 0, rows*columns)
	for i := range rows {
		for j := range columns {
			data = append(data, m.At(i, j))
		}
	}
	return g.Numbers(data, rows, columns)
}

// Wide turns numbers of another kind into those of the graph.
func (g *Graph) Wide(v Value) Value { return g.With("Cast", map[string]any{"to": int(Double)}, v) }

// Operators that reduce an axis give tables without rows a wrong shape in ONNX Runtime: sums are products with ones here,
// and the largest of a row is the first of its sorted list. A number that multiplies a product becomes one of 32 bits there:
// it belongs into one of the matrices.

// Sum is the sum of the columns of each row, as a column.
func (g *Graph) Sum(rows Value, columns int) Value {
	ones := make([]float64, columns)
	for j := range ones {
		ones[j] = 1
	}
	return g.Do("MatMul", rows, g.Numbers(ones, columns, 1))
}

// Length is the root of the sum of squares of each row.
func (g *Graph) Length(rows Value, columns int) Value {
	return g.Single(g.Do("Sqrt", g.Sum(g.Do("Mul", rows, rows), columns)))
}

// Single makes a column one number per row.
func (g *Graph) Single(column Value) Value { return g.Do("Squeeze", column, g.Integers(-1)) }

// Above tells where a number is above a limit, or is none.
func (g *Graph) Above(v, limit Value) Value { return g.Do("Not", g.Do("LessOrEqual", v, limit)) }

// Largest is the largest number of each row and the column it stands in, from 0, the first of equals.
func (g *Graph) Largest(rows Value) (number, column Value) {
	number, column = g.next(), g.next()
	g.nodes = append(g.nodes, node("TopK", "", []Value{number, column}, []Value{rows, g.Integers(1)}, map[string]any{"axis": -1}))
	return g.Single(number), g.Single(column)
}

// Scaled multiplies each column by its factor. One column is multiplied as a matrix: its factor would count as a number.
func (g *Graph) Scaled(rows Value, factors []float64) Value {
	if len(factors) == 1 {
		return g.Do("MatMul", rows, g.Numbers(factors, 1, 1))
	}
	return g.Do("Mul", rows, g.Row(factors))
}

// Column makes one number per row a column.
func (g *Graph) Column(v Value) Value { return g.Do("Unsqueeze", v, g.Integers(-1)) }

// Beside puts columns beside each other.
func (g *Graph) Beside(columns ...Value) Value {
	return g.With("Concat", map[string]any{"axis": -1}, columns...)
}

// Distances are those of each row from some points, one column for each. The difference is taken
// first, so that no digits are lost however far from the origin rows and points are.
func (g *Graph) Distances(rows Value, points *mat.Dense) Value {
	count, d := points.Dims()
	columns := make([]Value, count)
	for k := range columns {
		columns[k] = g.Column(g.Length(g.Do("Sub", rows, g.Row(points.RawRowView(k))), d))
	}
	return g.Beside(columns...)
}

// Squares are the squared distances of each row from many points, of the size of the rows and not
// far from the origin: as products, after the mean of the points is taken off both.
func (g *Graph) Squares(rows Value, points *mat.Dense) Value {
	count, d := points.Dims()
	middle := make([]float64, d)
	for k := range count {
		for j, v := range points.RawRowView(k) {
			middle[j] += v / float64(count)
		}
	}
	moved, lengths := mat.NewDense(d, count, nil), make([]float64, count)
	for k := range count {
		for j, v := range points.RawRowView(k) {
			v -= middle[j]
			moved.Set(j, k, -2*v)
			lengths[k] += v * v
		}
	}
	rows = g.Do("Sub", rows, g.Row(middle))
	own := g.Sum(g.Do("Mul", rows, rows), d)
	sum := g.Do("Add", g.Do("Add", g.Do("MatMul", rows, g.Matrix(moved)), own), g.Row(lengths))
	return g.Do("Max", sum, g.Number(0))
}

// Turn multiplies each mode of samples of a shape, given as rows, by a matrix with as many rows as
// the mode has; nil leaves a mode as it is. It returns rows again.
func (g *Graph) Turn(rows Value, shape []int, by []mat.Matrix) Value {
	perm, now := []int{0}, append([]int{-1}, shape...)
	for k := range shape {
		perm = append(perm, (k+1)%len(shape)+1)
	}
	at := g.Do("Reshape", rows, g.Integers(now...))
	for k, m := range by { // the next mode comes last, until all are where they were
		at = g.With("Transpose", map[string]any{"perm": perm}, at)
		now = append(append([]int{-1}, now[2:]...), now[1])
		if m != nil { // as a table: products of more axes are not the same in all runtimes
			at = g.Do("MatMul", g.Do("Reshape", at, g.Integers(-1, shape[k])), g.Matrix(m))
			_, now[len(shape)] = m.Dims()
			at = g.Do("Reshape", at, g.Integers(now...))
		}
	}
	size := 1
	for _, n := range now[1:] {
		size *= n
	}
	return g.Do("Reshape", at, g.Integers(-1, size))
}
