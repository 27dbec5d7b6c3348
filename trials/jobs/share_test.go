package jobs

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/npy"
)

// sharedTable writes a table of three correlated columns and a target, a twentieth of whose rows are wrong.
func sharedTable(t *testing.T, rows int) string {
	r := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	text.WriteString("a,b,c,y\n")
	for i := range rows {
		u, v := r.NormFloat64(), r.NormFloat64()
		a, b, c := 3*u, u+v, 2*v+0.1*r.NormFloat64()
		y := 1 + a - 2*b + 0.2*r.NormFloat64()
		if i%20 == 7 {
			a, y = a+40, y-90
		}
		fmt.Fprintf(&text, "%.6g,%.6g,\"%.6g\",%.6g\n", a, b, c, y)
	}
	path := filepath.Join(t.TempDir(), "table.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A fit whose passes are made in tasks by others is that of one process; who makes which task does not matter, nor what was made before.
func TestSharedFit(t *testing.T) {
	path := sharedTable(t, 9000)
	for _, fit := range []inlier.Fit{
		{Method: "pca-robust", Data: inlier.Data{Path: path, Drop: []string{"y"}}, Parameters: map[string]string{"components": "2"}},
		{Method: "pca", Data: inlier.Data{Path: path, Drop: []string{"y"}}, Parameters: map[string]string{"components": "2"}},
		{Method: "linear-robust", Data: inlier.Data{Path: path, Target: "y"}},
		{Method: "kmeans", Data: inlier.Data{Path: path, Drop: []string{"y"}}, Parameters: map[string]string{"clusters": "3"}},
	} {
		t.Run(fit.Method, func(t *testing.T) {
			fit.Data.Memory = 128 << 10
			alone, err := fit.Run(context.Background(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if alone.Reads < 2 {
				t.Fatalf("%d readings", alone.Reads)
			}
			var first []byte
			for helpers := 1; helpers <= 2; helpers++ {
				if helpers == 2 && fit.Method == "pca" {
					break
				}
				share := fit
				passes := 0
				crew := make([]*inlier.Helper, helpers)
				share.Share = &inlier.Share{Folder: t.TempDir(), TaskBytes: 1, Make: func(ctx context.Context, p inlier.SharedPass) error {
					passes++
					if p.Tasks < 3 {
						t.Errorf("%d tasks", p.Tasks)
					}
					for level, nodes := range p.Levels() {
						for k := range nodes {
							node := k
							if helpers == 2 { // in another order, and some again
								node = nodes - 1 - k
							}
							h := &crew[node%helpers]
							if *h == nil || passes == 2 && level == 0 && node == 2 { // one that begins in the middle
								var err error
								if *h, err = inlier.Help(p.Folder); err != nil {
									return err
								}
								defer (*h).Close()
							}
							if err := (*h).Make(ctx, p, level, node); err != nil {
								return err
							}
						}
					}
					return nil
				}}
				got, err := share.Run(context.Background(), nil)
				if err != nil {
					t.Fatal(err)
				}
				if passes != alone.Reads || got.Outliers != alone.Outliers {
					t.Errorf("%d passes and %d outliers, alone %d and %d", passes, got.Outliers, alone.Reads, alone.Outliers)
				}
				if a, b := float64(got.Objective), float64(alone.Objective); math.Abs(a-b) > 1e-9*math.Abs(b) {
					t.Errorf("objective %v, alone %v", a, b)
				}
				if a, b := numbersOf(t, got), numbersOf(t, alone); len(a) != len(b) {
					t.Errorf("%d numbers of the model, alone %d", len(a), len(b))
				} else {
					for j := range a {
						if math.Abs(a[j]-b[j]) > 1e-9*(1+math.Abs(b[j])) {
							t.Errorf("number %d is %v, alone %v", j, a[j], b[j])
						}
					}
				}
				var model bytes.Buffer
				if err := got.Fitted().Write(&model); err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = model.Bytes()
				} else if !bytes.Equal(first, model.Bytes()) {
					t.Error("another model with two helpers")
				}
			}
		})
	}
}

// numbersOf are all arrays of the model's file.
func numbersOf(t *testing.T, r *inlier.FitResult) (all []float64) {
	var model bytes.Buffer
	if err := r.Fitted().Write(&model); err != nil {
		t.Fatal(err)
	}
	archive, err := npy.NewArchive(bytes.NewReader(model.Bytes()), int64(model.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range archive.Arrays() {
		array, err := archive.Array(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, array.Data...)
	}
	return all
}
