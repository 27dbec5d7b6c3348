package jobs

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset"
)

// Distances that are 0 in all rows, since there are too few rows for as many columns, are not drawn: all stood at infinity, beyond every limit.
func TestDistancesThatAreNone(t *testing.T) {
	draw := rand.New(rand.NewPCG(5, 6))
	const n, d = 60, 35
	x, y := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range n {
		for k := range d {
			x.Set(i, k, draw.NormFloat64())
		}
		y[i] = x.At(i, 0) + 0.1*draw.NormFloat64()
	}
	set := &dataset.Set{Name: "wide", X: x, Target: &dataset.Target{Name: "y", Values: y}}
	for k := range d {
		set.Columns = append(set.Columns, string(rune('A'+k)))
	}
	m, err := inlier.Monitor{Fit: inlier.Fit{Method: "linear-robust", Data: inlier.Data{Set: set}}, Fits: 1}.Run(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var points bytes.Buffer
	p, err := m.Points(&points)
	if err != nil {
		t.Fatal(err)
	}
	numbers := make([]float32, points.Len()/4)
	if err := binary.Read(&points, binary.LittleEndian, numbers); err != nil {
		t.Fatal(err)
	}
	for k, c := range p.Columns {
		for i, v := range numbers[k*n : (k+1)*n] {
			if math.IsInf(float64(v), 0) {
				t.Fatalf("%s of row %d is %v", c.Name, i+1, v)
			}
		}
	}
}
