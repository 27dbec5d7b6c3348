package dataset_test

import (
	"context"
	"fmt"
	"log"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/pca"
)

// cursor has the shape of *sql.Rows: parts whose sizes go together, but for the 18th.
type cursor int

func query(string) *cursor     { return new(cursor) }
func (c *cursor) Next() bool   { *c++; return *c <= 40 }
func (c *cursor) Err() error   { return nil }
func (c *cursor) Close() error { return nil }
func (c *cursor) Scan(to ...any) error {
	size := float64(*c)
	for j := range to {
		*to[j].(*float64) = float64(j+1)*size + float64((int(*c)*(j+3))%7)/10
	}
	if *c == 18 {
		*to[1].(*float64) = -30
	}
	return nil
}

// A robust fit to the rows of a query, read once and kept in memory.
func ExampleFromRows() {
	rows := query("SELECT height, width, weight FROM parts") // db.Query
	defer rows.Close()
	source, err := dataset.FromRows([]string{"height", "width", "weight"}, func(row []float64) (bool, error) {
		if !rows.Next() {
			return false, rows.Err()
		}
		return true, rows.Scan(&row[0], &row[1], &row[2])
	})
	check(err)
	model, err := pca.Robust{}.Fit(context.Background(), source)
	fmt.Println("row 18 is an outlier:", model.Training().Outlier[17], err)
	// Output: row 18 is an outlier: true <nil>
}

// The query is sent again for every pass of the fit, and only a block of rows is ever in memory.
func ExampleFromSeq() {
	parts := func(yield func([]float64, error) bool) {
		rows := query("SELECT height, width, weight FROM parts") // db.Query
		defer rows.Close()
		row, more := make([]float64, 3), true
		for more && rows.Next() {
			more = yield(row, rows.Scan(&row[0], &row[1], &row[2]))
		}
		if err := rows.Err(); more && err != nil { // the connection broke: the rows are not all
			yield(nil, err)
		}
	}
	source, err := dataset.FromSeq(context.Background(), []string{"height", "width", "weight"}, parts)
	check(err)
	model, err := pca.Robust{}.Fit(context.Background(), source)
	fmt.Println("row 18 is an outlier:", model.Training().Outlier[17], err)
	// Output: row 18 is an outlier: true <nil>
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
