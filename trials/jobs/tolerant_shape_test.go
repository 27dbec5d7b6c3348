package jobs

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
)

// A stack of images keeps its shape where it is read tolerantly, as everything is on the page, and the cells that never change, which belong to it.
func TestStacksReadTolerantlyKeepTheirShape(t *testing.T) {
	ctx := context.Background()
	x := mat.NewDense(40, 12, nil)
	for i := range 40 {
		for j := 1; j < 12; j++ { // the first never changes
			x.Set(i, j, float64((i*7+j*3)%11)+float64(i*j%5)/8)
		}
	}
	path := filepath.Join(t.TempDir(), "stack.npy")
	if err := file.Write(path, &dataset.Set{X: x, Shape: []int{3, 4}, Unnamed: true}, file.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	var objectives [2]float64
	for k, tolerantly := range []bool{false, true} {
		fit, err := inlier.Fit{Method: "2dpca", Data: inlier.Data{Path: path, Tolerant: tolerantly}}.Run(ctx, nil)
		if err != nil {
			t.Fatalf("tolerant %v: %v", tolerantly, err)
		}
		objectives[k] = float64(fit.Objective)
		judged, err := inlier.Judge{Model: fit.Fitted(), Data: inlier.Data{Path: path, Tolerant: tolerantly}}.Run(ctx, nil)
		if err != nil || judged.Of != 40 {
			t.Fatalf("tolerant %v: %v", tolerantly, err)
		}
	}
	if objectives[0] != objectives[1] {
		t.Errorf("objectives %v", objectives)
	}
}

// Where no column can be used the reasons are told: it is not that there are no rows.
func TestTablesOfWhichNoColumnCanBeUsed(t *testing.T) {
	ctx := context.Background()
	words := saved(t, "name,city\n"+strings.Repeat("Ann,Rome\nBea,Oslo\nAnn,Oslo\n", 8))
	_, err := inlier.Fit{Method: "pca", Data: inlier.Data{Path: words, Tolerant: true}}.Run(ctx, nil)
	if err == nil || !strings.Contains(err.Error(), "no column can be used (name: its texts need") || !strings.Contains(err.Error(), "city: ") {
		t.Errorf("texts alone: %v", err)
	}
	_, err = inlier.Fit{Method: "linear-robust", Data: inlier.Data{Path: saved(t, "name,y,city\n"+strings.Repeat("Ann,1,Rome\nBea,2,Oslo\nAnn,3,Oslo\n", 8)), Tolerant: true, Target: "y"}}.Run(ctx, nil)
	var told *inlier.Error
	if !errors.As(err, &told) || !strings.Contains(told.Problem, "no column can be used besides y (name: its texts need") || !strings.Contains(told.Problem, "city: ") || !strings.Contains(told.Hint, "onehot") {
		t.Errorf("texts beside the target: %v", err)
	}
	m := learnedFrom(t, "a,b,y", func(i int) string { return fmt.Sprintf("%d.5,%d.5,%d", i%9, i%7, i*i%11) })
	_, err = m.Read(ctx, inlier.Data{Path: saved(t, "u,v\n1,2\n3,4\n"), Tolerant: true}, false, nil)
	if err == nil || !strings.Contains(err.Error(), "columns a, b are missing; the file has u, v") {
		t.Errorf("other columns: %v", err)
	}
}
