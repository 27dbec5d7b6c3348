package file_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
)

const sales = `shop,size,price
north,1.5,10
south,2.0,12
north,0.5,8
`

// A whole file in memory: the path "-" reads from Input, or else standard input.
func ExampleRead() {
	set, err := file.Read(context.Background(), "-", file.Options{
		Input:       strings.NewReader(sales),
		Target:      "price",
		Categorical: file.OneHot,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(set.Columns)
	fmt.Println(set.X.RawRowView(0), set.Target.Values[0])
	// Output:
	// [shop=north shop=south size]
	// [1 0 1.5] 10
}

// What is wrong with a file is told in one line that names the place, and a hint.
func ExampleRead_mistake() {
	_, err := file.Read(context.Background(), "-", file.Options{Input: strings.NewReader(sales)})
	var input *dataset.InputError
	if errors.As(err, &input) {
		fmt.Println(err)
		fmt.Println(input.Advice(nil))
	}
	// Output:
	// dataset: standard input:2: column "shop": "north" is not a number
	// code text columns with Categorical ordinal or onehot, or leave the column out with Drop shop
}

// A file larger than memory is gone through in blocks, as often as needed.
func ExampleSource_Scan() {
	source, err := file.Open("-", file.Options{Input: strings.NewReader(sales), Drop: []string{"shop"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer source.Close()
	err = source.Scan(context.Background(), func(first int, block *mat.Dense) error {
		rows, columns := block.Dims()
		fmt.Printf("%d rows of %d columns from row %d, sum %v\n", rows, columns, first, mat.Sum(block))
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// 3 rows of 2 columns from row 0, sum 34
}

// A format of the program's own: the word GRID and the names of two columns, then lines of numbers.
// From here on it is read, written and told by its first bytes like any other.
func ExampleRegister() {
	err := file.Register(file.Codec{
		Name: "grid", Endings: []string{".grid"}, Magic: []string{"GRID "},
		Read: func(in io.Reader) ([]string, iter.Seq2[[]float64, error], error) {
			lines, row := bufio.NewScanner(in), make([]float64, 2)
			lines.Scan()
			return strings.Fields(lines.Text())[1:], func(yield func([]float64, error) bool) {
				for lines.Scan() {
					if _, err := fmt.Sscan(lines.Text(), &row[0], &row[1]); !yield(row, err) {
						return
					}
				}
			}, nil
		},
		Write: func(out io.Writer, columns []file.Column) error {
			_, err := fmt.Fprintln(out, "GRID", columns[0].Name, columns[1].Name)
			for i, v := range columns[0].Numbers {
				_, err = fmt.Fprintln(out, v, columns[1].Numbers[i])
			}
			return err
		},
	})
	set, wrong := file.Read(context.Background(), "-", file.Options{Input: strings.NewReader("GRID a b\n1 2.5\n3 4\n")})
	fmt.Println(set.Columns, set.X.RawRowView(0), err, wrong)
	// Output: [a b] [1 2.5] <nil> <nil>
}
