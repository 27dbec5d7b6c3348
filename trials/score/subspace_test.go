package score

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/score"
)

// SciPy 1.17.1:
//
//	np.degrees(linalg.subspace_angles(A, B)); Qa, Qb = linalg.orth(A), linalg.orth(B)
//	np.linalg.norm(Qa@Qa.T - Qb@Qb.T)/np.sqrt(2)     # then B with the column (1,0,0,0,0) added
func TestSubspacesAgainstSciPy(t *testing.T) {
	a := mat.NewDense(5, 2, []float64{1, 0, 2, 1, 0, 3, 1, 1, 2, -1})
	b := mat.NewDense(5, 2, []float64{1, 0.5, 2, 1, 0.3, 3, 1, 1, 2, -1.5})
	b3 := mat.NewDense(5, 3, []float64{1, 0.5, 1, 2, 1, 0, 0.3, 3, 0, 1, 1, 0, 2, -1.5, 0})
	for _, c := range []struct {
		b        *mat.Dense
		angles   []float64
		distance float64
	}{
		{b, []float64{10.804072473428905, 2.379283319636872}, 0.19199315674006132},
		{b3, []float64{5.941587288509666, 0.6958655076922289}, 0.7147466327037931},
	} {
		for _, pair := range [][2]*mat.Dense{{a, c.b}, {c.b, a}} {
			angles, err := score.PrincipalAngles(pair[0], pair[1])
			if err != nil || len(angles) != 2 {
				t.Fatalf("%v (%v)", angles, err)
			}
			for i := range angles {
				near(t, "angle", angles[i], err, c.angles[i], 1e-12)
			}
			v, err := score.LargestAngle(pair[0], pair[1])
			near(t, "LargestAngle", v, err, c.angles[0], 1e-12)
			v, err = score.ProjectorDistance(pair[0], pair[1])
			near(t, "ProjectorDistance", v, err, c.distance, 1e-12)
		}
	}
}

// Tiny angles and angles near 90 degrees keep their relative accuracy: a plane turned by
// a known angle in six dimensions, both mixed by a random rotation and by invertible
// changes of their bases.
func TestAnglesOfEverySize(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	random := func(n, m int) *mat.Dense {
		x := mat.NewDense(n, m, nil)
		for i := range n {
			for j := range m {
				x.Set(i, j, r.NormFloat64())
			}
		}
		return x
	}
	for _, angle := range []float64{0, 1e-14, 1e-9, 1e-5, 0.1, 0.5, math.Pi / 4, 1, 1.5, math.Pi/2 - 1e-9, math.Pi / 2} {
		plane := mat.NewDense(6, 2, nil)
		plane.Set(0, 0, 1)
		plane.Set(1, 1, 1)
		turned := mat.NewDense(6, 2, nil)
		turned.Set(0, 0, 1)
		turned.Set(1, 1, math.Cos(angle))
		turned.Set(2, 1, math.Sin(angle))
		var qr mat.QR
		qr.Factorize(random(6, 6))
		var rotation, a, b mat.Dense
		qr.QTo(&rotation)
		a.Product(&rotation, plane, random(2, 2))
		b.Product(&rotation, turned, random(2, 2))
		got, err := score.LargestAngle(&a, &b)
		if want := angle * 180 / math.Pi; err != nil || math.Abs(got-want) > 1e-12*want+2e-13 {
			t.Errorf("angle %g, want %g (%v)", got, want, err)
		}
		distance, err := score.ProjectorDistance(&a, &b)
		if want := math.Sin(angle); err != nil || math.Abs(distance-want) > 1e-12*want+5e-15 {
			t.Errorf("projector distance %g, want %g (%v)", distance, want, err)
		}
	}
}

func TestSubspaceSpecialCases(t *testing.T) {
	line := mat.NewDense(3, 1, []float64{1, 1, 0})
	plane := mat.NewDense(3, 2, []float64{1, 0, 0, 1, 0, 0})
	v, err := score.LargestAngle(line, plane)
	near(t, "a line in a plane", v, err, 0, 1e-13)
	v, err = score.ProjectorDistance(line, plane)
	near(t, "distance of a line in a plane", v, err, math.Sqrt(0.5), 1e-14)
	double := mat.NewDense(3, 3, []float64{1, 2, 0, 1, 2, 0, 0, 0, 0}) // rank 1
	v, err = score.LargestAngle(line, double)
	near(t, "dependent and zero columns", v, err, 0, 1e-13)
	huge := mat.NewDense(3, 1, []float64{1e300, 1e300, 0})
	v, err = score.LargestAngle(line, huge)
	near(t, "huge entries", v, err, 0, 1e-13)

	for _, f := range []func(a, b *mat.Dense) (float64, error){score.LargestAngle, score.ProjectorDistance} {
		_, err = f(line, mat.NewDense(2, 1, []float64{1, 1}))
		says(t, err, "with 3 and with 2 entries")
		_, err = f(line, mat.NewDense(3, 1, nil))
		says(t, err, "zeros spans no space")
		_, err = f(nil, line)
		says(t, err, "empty matrix")
		_, err = f(line, mat.NewDense(3, 1, []float64{1, math.NaN(), 0}))
		says(t, err, "row 2 and column 1 is NaN")
	}
}
