package dataset_test

import (
	"fmt"

	"github.com/inlier-ml/inlier/dataset"
)

// Make the set-up of the breakdown study with 45 % of the rows in one far cluster.
func ExampleGenerate() {
	g, err := dataset.Generate("low-rank", map[string]string{"outliers": "clustered", "fraction": "0.45"}, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	outliers := 0
	for _, o := range g.Truth.Outlier {
		if o {
			outliers++
		}
	}
	d, m := g.Truth.Basis.Dims()
	fmt.Printf("%d rows, %d columns, %d outliers, true subspace %d x %d\n", g.Set.Rows(), g.Set.Dim(), outliers, d, m)
	// Output: 200 rows, 20 columns, 90 outliers, true subspace 20 x 3
}

// Cover a fifth of some drawn faces, add three dummies, and split what came out
// without parting classes.
func ExampleCorrupt() {
	faces := dataset.DefaultFaces()
	faces.Subjects, faces.PerSubject, faces.Size = 4, 5, []int{32, 32}
	g, err := faces.Generate(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	dirty, dirt, err := dataset.Corrupt(g.Set, "occlusion:0.2+dummy:3,mode=add", 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, step := range dirt.Steps {
		fmt.Println(step.Spec, "hit", len(step.Rows), "images")
	}
	parts, err := dataset.SplitBy(dirty, 0.25, dataset.SplitRules{Stratify: true}, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(parts.Train), "to learn from,", len(parts.Test), "to test on")
	// Output:
	// occlusion:0.2 hit 4 images
	// dummy:3,mode=add hit 3 images
	// 17 to learn from, 6 to test on
}
