package pca

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/inlier-ml/inlier/dataset/corrupt"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/pca"
	"github.com/inlier-ml/inlier/score"
	"gonum.org/v1/gonum/mat"
)

// Section IV-C of the kmpe paper: Yale faces at 64 x 64, some replaced by dummies. The
// default, which learns the weights with m_r = 10 components, must come within 15 % of
// ordinary PCA of the untouched faces, where PCA of everything is far off. Parts of faces that are
// covered are no rows to leave out: there it must only be better (the long form).
func TestFacesWithDummies(t *testing.T) {
	folder := os.Getenv("INLIER_DATA")
	if folder == "" {
		t.Skip("INLIER_DATA is not set: no real data")
	}
	ctx := context.Background()
	faces, err := file.Read(ctx, filepath.Join(folder, "yale"), file.Options{Resize: "64x64", Gray: true})
	if err != nil {
		t.Skip(err)
	}
	specs, components := []string{"dummy:25"}, []int{30, 100}
	if os.Getenv("INLIER_CONFORMANCE") == "all" {
		specs, components = []string{"dummy:15", "dummy:25", "occlusion:25"}, []int{30, 50, 70, 100}
	}
	for _, spec := range specs {
		dirty, dirt, err := corrupt.Apply(faces, spec, 1)
		if err != nil {
			t.Fatal(err)
		}
		var clean []int
		for i, touched := range dirt.Rows {
			if !touched {
				clean = append(clean, i)
			}
		}
		original := faces.Subset(clean).X
		for _, m := range components {
			errorOf := func(c method, x *mat.Dense) float64 {
				model := fit(t, c, x)
				kept, err := model.Reconstruct(ctx, original)
				if err != nil {
					t.Fatal(err)
				}
				e, err := score.ReconstructionError(original, kept)
				if err != nil {
					t.Fatal(err)
				}
				return e
			}
			o := pca.Options{Components: m}
			inliers, plain, robust := errorOf(pca.Classic{o}, original), errorOf(pca.Classic{o}, dirty.X), errorOf(pca.Robust{Options: o, Loss: pca.DefaultLoss}, dirty.X)
			t.Logf("%s, m=%d: PCA %.1f, default %.1f, PCA of the clean faces %.1f", spec, m, plain, robust, inliers)
			if spec[0] == 'd' && robust > 1.15*inliers {
				t.Errorf("%s, m=%d: the default is %.2f times PCA of the clean faces", spec, m, robust/inliers)
			}
			if !(plain > 1.2*inliers && robust < plain) {
				t.Errorf("%s, m=%d: PCA %.1f is not far off, or the default %.1f is worse", spec, m, plain, robust)
			}
		}
	}
}
