package file

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/parquet-go/parquet-go"
)

func truth(v *bool) float64 {
	switch {
	case v == nil:
		return math.NaN()
	case *v:
		return 1
	}
	return 0
}

// mixedRow has columns of every kind that is stored in a way of its own.
type mixedRow struct {
	Plain  float64  `parquet:"plain"`
	Known  float64  `parquet:"known,dict"`
	Holes  *float64 `parquet:"holes,optional"`
	Gaps   *int32   `parquet:"gaps,optional,dict"`
	Single float32  `parquet:"single"`
	Long   int64    `parquet:"long,delta"`
	Small  uint32   `parquet:"small"`
	Large  uint64   `parquet:"large"`
	Flag   bool     `parquet:"flag"`
	Maybe  *bool    `parquet:"maybe,optional"`
	Cents  int64    `parquet:"cents,decimal(2:18)"`
}

// TestParquetColumnsOfEveryKind reads pages and groups that end within chunks; what is expected is
// computed from the rows that were written.
func TestParquetColumnsOfEveryKind(t *testing.T) {
	const n = 20000
	var rows []mixedRow
	for i := range n {
		r := mixedRow{Plain: math.Sqrt(float64(i)), Known: float64(i%7) / 3, Single: float32(i) / 3, Long: int64(i)*1e9 - 5e12,
			Small: math.MaxUint32 - uint32(i), Large: math.MaxUint64 - uint64(i)<<20, Flag: i%3 == 0, Cents: int64(i) - 700}
		if v := float64(i) / 7; i%5 != 2 && i/1000 != 4 { // and a stretch without any
			r.Holes = &v
		}
		if v := int32(i % 11); i%4 != 0 {
			r.Gaps = &v
		}
		if v := i%2 == 0; i%9 != 3 {
			r.Maybe = &v
		}
		rows = append(rows, r)
	}
	var content bytes.Buffer
	w := parquet.NewGenericWriter[mixedRow](&content, parquet.PageBufferSize(3000), parquet.MaxRowsPerRowGroup(6700))
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	source, err := file.OpenReader(context.Background(), "rows", &content, file.Options{Missing: file.MissingKeep, Target: "known"})
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	set, err := source.Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range rows {
		got := fmt.Sprint(set.X.RawRowView(i), set.Target.Values[i])
		want := fmt.Sprint([]float64{r.Plain, optional(r.Holes), optional(r.Gaps), float64(r.Single), float64(r.Long), float64(r.Small), float64(r.Large),
			truth(&r.Flag), truth(r.Maybe), float64(r.Cents) / 100}, r.Known)
		if got != want {
			t.Fatalf("row %d is %s, want %s (columns %s)", i, got, want, strings.Join(set.Columns, " "))
		}
	}
}

func optional[T int32 | float64](v *T) float64 {
	if v == nil {
		return math.NaN()
	}
	return float64(*v)
}
