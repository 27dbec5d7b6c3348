package corrupt_test

import (
	"fmt"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/corrupt"
	"github.com/inlier-ml/inlier/dataset/synthetic"
)

// Cover a fifth of some drawn faces, add three dummies, and split what came out
// without parting classes.
func ExampleApply() {
	faces := synthetic.DefaultFaces()
	faces.Subjects, faces.PerSubject, faces.Size = 4, 5, []int{32, 32}
	g, err := faces.Generate(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	dirty, dirt, err := corrupt.Apply(g.Set, "occlusion:0.2+dummy:3,mode=add", 1)
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
