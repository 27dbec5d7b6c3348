package jobs

import (
	"cmp"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linear"
	"github.com/inlier-ml/inlier/pca"
)

// Importing the packages and fitting leave the matrix arithmetic of the host as it was.
func TestHostKeepsItsBLAS(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	x, y := mat.NewDense(80, 5, nil), mat.NewDense(80, 1, nil)
	for i := range 80 {
		for j := range 5 {
			x.Set(i, j, r.NormFloat64())
		}
		y.Set(i, 0, x.At(i, 0)+r.NormFloat64())
	}
	if _, err := (pca.Robust{Options: pca.Options{Components: 2}}).Fit(t.Context(), linalg.FromDense(x)); err != nil {
		t.Error(err)
	}
	if _, err := (linear.Robust{}).Fit(t.Context(), linalg.FromDense(x), mat.Col(nil, 0, y)); err != nil {
		t.Error(err)
	}
	if _, err := (elm.Robust{}).Fit(t.Context(), linalg.FromDense(x), y); err != nil {
		t.Error(err)
	}
	if got := blas64.Implementation(); got != (gonum.Implementation{}) {
		t.Errorf("gonum's BLAS became %T", got)
	}
}

// Products run on our kernels without a registry: through linalg, never through gonum's.
func TestProductsGoThroughLinalg(t *testing.T) {
	slow := regexp.MustCompile(`\bblas64\.\w+\(|\blapack64\.\w+\(|\.(Mul|MulVec|SymOuterK|SymRankK|Product)\(`)
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && (entry.Name() == "asmgen" || entry.Name() == "testdata") {
			return cmp.Or(err, fs.SkipDir)
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), `"math/big"`) && !strings.Contains(string(text), "gonum.org") { // products of single numbers
			return err
		}
		for i, line := range strings.Split(string(text), "\n") {
			code, _, _ := strings.Cut(line, "//")
			for _, name := range []string{"linalg.Mul(", "linalg.MulVec("} {
				code = strings.ReplaceAll(code, name, "")
			}
			if found := slow.FindString(code); found != "" {
				t.Errorf("%s:%d: %s) runs on gonum's own BLAS; linalg has fast products, fastblas the rest", path, i+1, found)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Looking at all methods of a type by reflection makes the linker keep every method of every type in the host's program:
// a program of 6 MB had 9.5. Names that are constants do not.
func TestFamiliesLetTheLinkerPrune(t *testing.T) {
	for _, room := range []string{"loss", "linalg", "irls", "verdict", "refusal", "archive", "npy", "kernel", "pca", "linear", "elm", "classify", "tensor", "cluster", "nearest"} {
		files, err := filepath.Glob("../../" + room + "/*.go")
		if err != nil || len(files) == 0 {
			t.Fatal(room, err)
		}
		for _, path := range files {
			if text, err := os.ReadFile(path); err != nil || !strings.HasSuffix(path, "_test.go") && regexp.MustCompile(`"reflect"(?s:.*)\.(Method\(|MethodByName\([^"])`).Match(text) {
				t.Errorf("%s reflects on methods: %v", path, err)
			}
		}
	}
}
