package tensor_test

import (
	"context"
	"fmt"
	"math"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/tensor"
)

// pictures are images of 4 x 6 pixels, one pattern at changing strength; a block of the first
// is covered.
func pictures() (images [][]float64) {
	for i := range 40 {
		image := make([]float64, 24)
		for p := range image {
			image[p] = math.Sin(float64(3*i))*float64(1+p/6)*float64(1+p%6) + 0.1*math.Sin(float64(i*p+p))
		}
		images = append(images, image)
	}
	for _, p := range []int{0, 1, 6, 7} {
		images[0][p] = 30
	}
	return images
}

// Which image is not like the others.
func ExampleRobust() {
	images := pictures()
	model, err := tensor.Robust{Options: tensor.Options{Shape: []int{4, 6}, Rank: []int{1, 1}}}.Fit(context.Background(), linalg.FromRows(images))
	if err != nil {
		panic(err)
	}
	fmt.Println("first:", model.JudgeRow(images[0]).Kind)
	fmt.Println("second:", model.JudgeRow(images[1]).Kind)
	// Output:
	// first: orthogonal outlier
	// second: regular
}
