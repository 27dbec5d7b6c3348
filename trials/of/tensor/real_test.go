package tensor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/corrupt"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/tensor"
	"gonum.org/v1/gonum/mat"
)

// images reads a folder of benchmark images with pixels in [0,1], or skips the test.
func images(t testing.TB, o file.Options, path ...string) *dataset.Set {
	t.Helper()
	root := os.Getenv("INLIER_DATA")
	if root == "" {
		t.Skip("INLIER_DATA does not name the folder of the benchmark data")
	}
	set, err := file.Read(context.Background(), filepath.Join(append([]string{root}, path...)...), o)
	if err != nil {
		t.Fatal(err)
	}
	if top := mat.Max(set.X); top > 1.5 {
		set.X.Scale(1/255.0, set.X)
	}
	return set
}

// errorOn is the mean Frobenius error of the rows of original that are not dirty.
func errorOn(t testing.TB, m *tensor.Model, original *dataset.Set, dirt *corrupt.Dirt) float64 {
	t.Helper()
	var rows []int
	for i := range original.Rows() {
		if !dirt.Rows[i] {
			rows = append(rows, i)
		}
	}
	e, err := m.Errors(context.Background(), original.Subset(rows).X)
	if err != nil {
		t.Fatal(err)
	}
	return e.Norm
}

func clean(original *dataset.Set, dirt *corrupt.Dirt) *mat.Dense {
	var rows []int
	for i := range original.Rows() {
		if !dirt.Rows[i] {
			rows = append(rows, i)
		}
	}
	return original.Subset(rows).X
}

// Yale at 64 x 64 with 30 images of noise among 195: the error on the faces is that of the
// iterated 2DSVD of the faces alone.
func TestYaleWithDummies(t *testing.T) {
	yale := images(t, file.Options{Resize: "64x64", Gray: true}, "yale")
	for seed := uint64(1); seed <= repeats(2); seed++ {
		dirty, dirt, err := corrupt.Apply(yale, "dummy:30,mode=add,values=uniform", seed)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []int{32, 50} {
			o := tensor.Options{Shape: yale.Shape, Rank: []int{r, r}, Seed: seed}
			faces := errorOn(t, mustFit(t, tensor.SVD2D{Options: o}, yale.X), yale, dirt)
			corr := errorOn(t, mustFit(t, tensor.Corr{Options: o}, dirty.X), yale, dirt) / faces
			plain := errorOn(t, mustFit(t, tensor.SVD2D{Options: o}, dirty.X), yale, dirt) / faces
			t.Logf("rank %d, seed %d: faces alone %.3f; corr-2dsvd %.4f, 2dsvd %.3f of it", r, seed, faces, corr, plain)
			if long() { // told, not checked
				o.Start, o.Mean = tensor.StartClassic, tensor.MeanSample
				t.Logf("r1-2dsvd %.3f of it", errorOn(t, mustFit(t, tensor.R1SVD2D{o}, dirty.X), yale, dirt)/faces)
			}
			if corr > 1.02 {
				t.Errorf("rank %d, seed %d: corr-2dsvd is at %.4f of the faces alone", r, seed, corr)
			}
			if plain < 1.2 {
				t.Errorf("rank %d: 2dsvd is at %.3f, so the data show nothing", r, plain)
			}
		}
	}
}

// 30 faces under a rectangle of noise: below every other method that reduces both sides.
func TestYaleWithBlocks(t *testing.T) {
	yale := images(t, file.Options{Resize: "64x64", Gray: true}, "yale")
	for seed := uint64(1); seed <= repeats(3); seed++ {
		dirty, dirt, err := corrupt.Apply(yale, "occlusion:30", seed)
		if err != nil {
			t.Fatal(err)
		}
		o := tensor.Options{Shape: yale.Shape, Rank: []int{32, 32}, Seed: seed}
		letter := o
		letter.Start, letter.Mean = tensor.StartClassic, tensor.MeanSample
		corr := errorOn(t, mustFit(t, tensor.Corr{Options: o}, dirty.X), yale, dirt)
		report := fmt.Sprintf("corr-2dsvd %.4f", corr)
		if long() { // told, not checked
			report += fmt.Sprintf(", faces alone %.3f", errorOn(t, mustFit(t, tensor.SVD2D{Options: o}, clean(yale, dirt)), yale, dirt))
		}
		for name, c := range map[string]method{"2dsvd": tensor.SVD2D{Options: o}, "one-shot 2dsvd": tensor.SVD2D{Options: o, Once: true}, "r1-2dsvd": tensor.R1SVD2D{o}, "r1-2dsvd of the paper": tensor.R1SVD2D{letter}} {
			other := errorOn(t, mustFit(t, c, dirty.X), yale, dirt)
			report += fmt.Sprintf(", %s %.4f", name, other)
			if corr >= other {
				t.Errorf("seed %d: corr-2dsvd has %.4f, %s %.4f", seed, corr, name, other)
			}
		}
		t.Log(report)
	}
}

// 21 colour faces of one person and 10 colour dummies: the plain HOSVD spends its factors
// on the noise.
func TestColourFacesWithDummies(t *testing.T) {
	faces := images(t, file.Options{}, "lfwcrop", "Amelie_Mauresmo")
	if faces.Rows() != 21 || fmt.Sprint(faces.Shape) != "[64 64 3]" {
		t.Fatalf("%d faces of shape %v", faces.Rows(), faces.Shape)
	}
	dirty, dirt, err := corrupt.Apply(faces, "dummy:10,mode=add,values=uniform", 1)
	if err != nil {
		t.Fatal(err)
	}
	tried := [][]int{{40, 40, 3}}
	if long() { // told, not checked
		tried = append(tried, []int{40, 40, 2}, []int{10, 10, 3}, []int{20, 20, 3}, []int{30, 30, 3}, []int{50, 50, 3})
	}
	for _, ranks := range tried {
		o := tensor.Options{Shape: faces.Shape, Rank: ranks}
		squared := func(m *tensor.Model) (float64, float64) {
			e, err := m.Errors(context.Background(), clean(faces, dirt))
			if err != nil {
				t.Fatal(err)
			}
			return e.Norm, e.Squared
		}
		norm, square := squared(mustFit(t, tensor.Corr{Options: o}, dirty.X))
		plainNorm, plainSquare := squared(mustFit(t, tensor.SVD2D{Options: o, Once: true}, dirty.X))
		if long() {
			alone, _ := squared(mustFit(t, tensor.SVD2D{Options: o}, faces.X))
			t.Logf("%v: faces alone %.3f", ranks, alone)
		}
		t.Logf("%v: corr-tensor %.3f, plain HOSVD %.3f (%.2f times), squared %.3f and %.3f (%.1f times)", ranks, norm, plainNorm, plainNorm/norm, square, plainSquare, plainSquare/square)
		if slices.Equal(ranks, []int{40, 40, 3}) && plainNorm < 4*norm {
			t.Errorf("%v: plain HOSVD has %.3f, corr-tensor %.3f", ranks, plainNorm, norm)
		}
	}
}

// long tells whether the environment asks for the long form of tests.
func long() bool { return os.Getenv("INLIER_CONFORMANCE") == "all" }

// repeats is 1, or all where the environment asks for the long form of tests.
func repeats(all uint64) uint64 {
	if long() {
		return all
	}
	return 1
}
