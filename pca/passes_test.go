package pca

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/linalg"
)

// counting is a source that is not in memory and counts how often it is read.
type counting struct {
	x     *mat.Dense
	scans int
	room  int
}

func (c *counting) Room() int { return c.room }

// roomy is one in memory that is told to have little room.
type roomy struct {
	*linalg.Matrix
	room int
}

func (r roomy) Room() int { return r.room }

func (c *counting) Dims() (int, int) { return c.x.Dims() }

func (c *counting) Scan(ctx context.Context, visit func(first int, block *mat.Dense) error) error {
	c.scans++
	return linalg.FromDense(c.x).Scan(ctx, visit)
}

// A table that can be held is read once and gives what it gives in memory.
func TestHeldTables(t *testing.T) {
	ctx := context.Background()
	x := nearPlane(4, 10500, 4, 2, 0.3)
	for name, m := range all(Options{Components: 2}) {
		if name != "pca" && name != "pca-robust tukey" {
			continue
		}
		want := fit(t, m, x)
		for _, held = range []int{linalg.HeldNumbers, 0} { // of few rows the sample is all of them
			src := &counting{x: x, room: math.MaxInt}
			got, err := m.Fit(ctx, src)
			held = linalg.HeldNumbers
			if err != nil || src.scans != 1 {
				t.Fatalf("%s: read %d times, %v", name, src.scans, err)
			}
			for i, v := range want.Training().OrthogonalDistance {
				if got.Training().OrthogonalDistance[i] != v {
					t.Fatalf("%s: row %d is off by %g, in memory by %g", name, i, got.Training().OrthogonalDistance[i], v)
				}
			}
		}
	}
}

// Many rows are read a few times, and end in the same model in memory and in blocks, close to the one that is
// learned from all of them alike.
func TestManyRows(t *testing.T) {
	x := nearPlane(4, 4200, 5, 2, 0.3)
	draw := rand.New(rand.NewPCG(1, 1))
	for i := 0; i < 4200; i += 10 { // outliers on one side
		for j := range 5 {
			x.Set(i, j, 9+draw.NormFloat64()*float64(j))
		}
	}
	x.Set(20, 3, 1e300)
	weights := make([]float64, 4200)
	for i := range weights {
		weights[i] = 1 + float64(i%2)
	}
	const room = 1400 * 5 // in numbers, for a third of the rows
	defer func(rows int) { manyRows = rows }(manyRows)
	manyRows = 3600
	for _, w := range [][]float64{nil, weights} {
		for name, m := range all(Options{Components: 2, Weights: w}) {
			switch name { // others are alike, or hold all rows
			case "pca", "pca-gm":
				if w != nil {
					continue
				}
			case "pca-robust tukey":
			default:
				continue
			}
			whole := fit(t, m, x) // the sample is of all rows
			memory, err := m.Fit(context.Background(), roomy{linalg.FromDense(x), room})
			if err != nil {
				t.Fatal(err)
			}
			src := &counting{x: x, room: room}
			blocks, err := m.Fit(context.Background(), src)
			if err != nil {
				t.Fatal(err)
			}
			if most := map[bool]int{true: 2, false: 4}[name == "pca"]; src.scans > most {
				t.Errorf("%s: read %d times", name, src.scans)
			}
			if blocks.Training() != nil || len(blocks.Weights()) > 0 {
				t.Errorf("%s holds something of every row", name)
			}
			a, b, c := blocks.Describe(archive.Names{}), memory.Describe(archive.Names{}), whole.Describe(archive.Names{})
			if rows, known := blocks.OutlyingRows(); !known || len(rows) != a.Outliers || a.Outliers != b.Outliers || a.Outliers != memory.Training().Count() || blocks.Rows() != 4200 {
				t.Errorf("%s: %d of %d rows are outliers in blocks, %d named, %d in memory", name, a.Outliers, blocks.Rows(), len(rows), b.Outliers)
			}
			if !alike(a.Objective, b.Objective, 1e-12) || !alike(a.Effective, b.Effective, 1e-12) || largestAngle(blocks.Basis(), memory.Basis()) > 1e-7 {
				t.Errorf("%s: objective %g in blocks, %g in memory", name, a.Objective, b.Objective)
			}
			within := 0.03 // of what a sample of a third tells
			if name == "pca" {
				within = 1e-9
			}
			if angle := largestAngle(blocks.Basis(), whole.Basis()); !(angle < 0.1) && name != "pca" || !alike(a.Objective, c.Objective, within) {
				t.Errorf("%s: %g off, objective %g, of all rows alike %g", name, angle, a.Objective, c.Objective)
			}
			for j, v := range whole.Eigenvalues() {
				if !alike(blocks.Eigenvalues()[j], v, 2*within) {
					t.Errorf("%s: variance %d is %g, of all rows alike %g", name, j+1, blocks.Eigenvalues()[j], v)
				}
			}
			if d := math.Abs(float64(a.Outliers - c.Outliers)); d > 50 {
				t.Errorf("%s: %d outliers, of all rows alike %d", name, a.Outliers, c.Outliers)
			}
		}
	}
}

func alike(a, b, within float64) bool { return math.Abs(a-b) <= within*math.Abs(b) }

// TestSampleOfWideTable: limits are those of the subspace of all rows, not of one that the sample alone would have: of
// regular rows, learned from or new, about one in twenty is beyond one of the two.
func TestSampleOfWideTable(t *testing.T) {
	if testing.Short() {
		t.Skip("a second")
	}
	all := nearPlane(4, 10000, 150, 2, 0.3)
	x := all.Slice(0, 8000, 0, 150).(*mat.Dense)
	m, err := Robust{Options: Options{Components: 12}}.Fit(context.Background(), &counting{x: x})
	if err != nil {
		t.Fatal(err)
	}
	fresh, err := m.Judge(context.Background(), mat.DenseCopyOf(all.Slice(8000, 10000, 0, 150)))
	if err != nil {
		t.Fatal(err)
	}
	if known, unknown := float64(m.seen.Flagged)/8000, float64(fresh.Count())/2000; known > 0.08 || unknown > 0.08 || unknown < 0.02 {
		t.Errorf("%.3f of the rows are outliers, and %.3f of new ones", known, unknown)
	}
}
