package pca_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sync"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/pca"
	"github.com/inlier-ml/inlier/verdict"
)

// sensors are 40 readings of four sensors that follow one temperature; the third sensor of
// the last reading is broken.
func sensors() [][]float64 {
	var rows [][]float64
	for i := range 40 {
		t, e := 20+5*math.Sin(float64(i)), func(k int) float64 { return 0.1 * math.Sin(float64(7*i+31*k*k)) }
		rows = append(rows, []float64{t + e(1), 2*t + e(2), 30 - t + e(3), t/2 + e(4)})
	}
	rows[39][2] += 6
	return rows
}

// Which rows are wrong, and which column is to blame.
func ExampleRobust() {
	ctx, src := context.Background(), linalg.FromRows(sensors())
	model, err := pca.Robust{Options: pca.Options{Components: 1}}.Fit(ctx, src)
	if err != nil {
		panic(err)
	}
	judged, _ := model.Judge(ctx, src.Dense())
	why, _ := model.Contributions(ctx, src.Dense())
	for i := range judged.Len() {
		if judged.Outlier[i] && judged.Weight[i] < 0.01 {
			fmt.Printf("row %d: %s, contributions %.1f\n", i, judged.Kind[i], why.RawRowView(i))
		}
	}
	// Output: row 39: orthogonal outlier, contributions [1.1 3.2 5.5 0.5]
}

// One reading at a time, as it comes in, without allocation and from any goroutine.
func ExampleModel_JudgeRow() {
	model, err := pca.Robust{Options: pca.Options{Components: 1}}.Fit(context.Background(), linalg.FromRows(sensors()))
	if err != nil {
		panic(err)
	}
	for _, row := range [][]float64{{21, 42, 9, 10.5}, {21, 42, 9, 15}, {32, 64, -2, 16}} {
		v := model.JudgeRow(row)
		fmt.Printf("%v: %s, outlier %v\n", row, v.Kind, v.Outlier)
	}
	// Output:
	// [21 42 9 10.5]: regular, outlier false
	// [21 42 9 15]: orthogonal outlier, outlier true
	// [32 64 -2 16]: good leverage, outlier true
}

// A model is saved, loaded and asked by many goroutines at once.
func ExampleLoad() {
	path, readings := filepath.Join(os.TempDir(), "example-sensors.npz"), sensors()
	defer os.Remove(path)
	fitted, err := pca.Robust{Options: pca.Options{Components: 1}}.Fit(context.Background(), linalg.FromRows(readings))
	check(err)
	check(fitted.Save(path))
	model, err := pca.Load(path)
	check(err)
	kinds := make([]verdict.Kind, len(readings))
	var all sync.WaitGroup
	for i, row := range readings {
		all.Go(func() { kinds[i] = model.JudgeRow(row).Kind })
	}
	all.Wait()
	fmt.Println(kinds[38], "-", kinds[39])
	// Output: regular - orthogonal outlier
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
