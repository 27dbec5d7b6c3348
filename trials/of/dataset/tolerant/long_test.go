package tolerant

import (
	"bytes"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/parquet-go/parquet-go"
)

// Numbers of orders with more digits than a number keeps stay what they are in Parquet, with and without a dictionary, a sign and gaps, and
// so do the microseconds of a time.
func TestParquetKeepsDigits(t *testing.T) {
	type row struct {
		Order  int64     `parquet:"order"`
		Hash   uint64    `parquet:"hash,dict"`
		Before *int64    `parquet:"before,optional,dict"`
		Cents  int64     `parquet:"cents"`
		At     time.Time `parquet:"at,timestamp(microsecond)"`
	}
	const n = 1000
	at := time.Date(2024, 3, 31, 10, 0, 0, 123456e3, time.UTC)
	var rows []row
	for i := range int64(n) {
		r := row{1<<60 + 1 + i, 1<<64 - 1 - uint64(i%7), nil, 1000000 + i, at.Add(time.Duration(i) * 7000001 * time.Microsecond)}
		if before := -1<<60 - i%5; i%3 > 0 {
			r.Before = &before
		}
		rows = append(rows, r)
	}
	path := filepath.Join(t.TempDir(), "orders.parquet")
	if err := parquet.WriteFile(path, rows, parquet.PageBufferSize(2000), parquet.MaxRowsPerRowGroup(300)); err != nil {
		t.Fatal(err)
	}
	table := open(t, tolerant.Options{}, path)
	for i, r := range rows {
		want := []string{strconv.FormatInt(r.Order, 10), strconv.FormatUint(r.Hash, 10), "", strconv.FormatInt(r.Cents, 10), r.At.Format("2006-01-02 15:04:05.999999")}
		if r.Before != nil {
			want[2] = strconv.FormatInt(*r.Before, 10)
		}
		for j, text := range want {
			if got := table.Text(i, j); got != text {
				t.Fatalf("row %d, column %s: %q, where the file has %q", i+1, table.Columns[j].Name, got, text)
			}
		}
	}
	if kind := table.Columns[0].Kind; kind != tolerant.Identifier {
		t.Errorf("the numbers of orders were taken for %v", kind)
	}
	var out bytes.Buffer
	if err := table.Rewrite(&out, nil, nil); err != nil || !bytes.HasPrefix(out.Bytes(), []byte("order,hash,before,cents,at\n1152921504606846977,18446744073709551615,,1000000,2024-03-31 10:00:00.123456\n")) {
		t.Errorf("%v: %.150s", err, out.Bytes())
	}

	for _, column := range []string{"order", "1", "cents"} {
		source, err := file.Open(path, file.Options{ID: column, Columns: []string{"cents"}})
		if column == "cents" {
			source, err = file.Open(path, file.Options{ID: column, Columns: []string{"order"}})
		}
		if err != nil {
			t.Fatal(err)
		}
		texts, err := source.Texts(t.Context(), column)
		want := "1152921504606846979"
		if column == "cents" {
			want = "1000002"
		}
		if err != nil || texts[2] != want {
			t.Errorf("%s: %q, %v", column, texts[2], err)
		}
		source.Close()
	}
}

// Classes that are numbers are called as files write them.
func TestNamesOfNumberedClasses(t *testing.T) {
	c := dataset.NumberClasses{Task: dataset.TaskClass}
	values := []float64{1234567, 1000000, 0.5, -3, 1e20}
	c.Add(values)
	if got := c.Target("code", values).Classes; len(got) != 5 || got[2] != "1000000" || got[3] != "1234567" || got[1] != "0.5" || got[4] != "1e+20" {
		t.Errorf("%q", got)
	}
	target := c.Target("code", values)
	if err := target.Match([]string{"0.5", "1e+06", "1.234567e+06", "-3", "1e+20"}); err != nil || target.Labels[0] != 2 || target.Labels[1] != 1 { // as models of earlier versions call them
		t.Errorf("%v, %v", target.Labels, err)
	}
}
