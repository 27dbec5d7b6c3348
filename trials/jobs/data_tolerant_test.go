package jobs

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset/tolerant"
)

const orderList = `Report of orders;;;;;;
Order;Date;Price;Qty;Paid;Country;Note
A-1;15.01.2024;82,74 €;2;ja;DE;first thing to say about it
A-2;16.01.2024;n/a;1;nein;FR;second remark here and nothing more
A-3;17.01.2024;5,10 €;4;ja;DE;and the third one is long too
A-4;18.01.2024;7,00 €;two;nein;DE;more words in the note here
A-5;19.01.2024;9,00 €;5;nein;FR;words again and again in here
A-6;20.01.2024;1.012,50 €;6;ja;DE;this is the last of the notes
A-7;21.01.2024;11,50 €;7;ja;FR;and one more of those notes
`

func saved(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "orders.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTolerantData(t *testing.T) {
	ctx := context.Background()
	path := saved(t, orderList)
	var left []string
	data := inlier.Data{Path: path, Tolerant: true, OnColumns: func(columns []inlier.ReadColumn, _ []tolerant.Remark) {
		left = nil
		for _, c := range columns {
			if c.LeftOut != "" {
				left = append(left, c.Name)
			}
		}
	}}
	got, err := inlier.Convert{Data: data}.Run(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"Date", "Price", "Qty", "Paid"}; !slices.Equal(got.Set.Columns, want) || !slices.Equal(left, []string{"Order", "Country", "Note"}) {
		t.Errorf("columns %v, left out %v", got.Set.Columns, left)
	}
	for _, c := range []struct {
		row, column int
		want        float64
	}{{0, 0, 19737}, {0, 1, 82.74}, {1, 1, math.NaN()}, {5, 1, 1012.5}, {3, 2, math.NaN()}, {1, 3, 0}, {6, 3, 1}} {
		if v := got.Set.X.At(c.row, c.column); v != c.want && !(v != v && c.want != c.want) {
			t.Errorf("row %d, column %d: %g", c.row, c.column, v)
		}
	}
	// A job that learns leaves rows out that are not whole, and calls the others by their numbers in the file.
	fit, err := inlier.Fit{Method: "pca", Data: data, Parameters: map[string]string{"components": "1"}}.Run(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	if fit.Rows != 5 || fit.Columns != 4 {
		t.Errorf("fitted to %d x %d", fit.Rows, fit.Columns)
	}
	data.Categorical, data.ID, data.Target = "onehot", "Order", "5"
	coded, err := data.Read(ctx, nil)
	if err == nil || !strings.Contains(err.Error(), "Price 1, Qty 1") {
		t.Errorf("%v, %v", coded, err)
	}
	data.Drop = []string{"Price", "4"}
	if coded, err = data.Read(ctx, nil); err != nil {
		t.Fatal(err)
	}
	if want := []string{"Date", "Country=DE", "Country=FR"}; !slices.Equal(coded.Columns, want) || !slices.Equal(coded.Target.Classes, []string{"ja", "nein"}) || coded.IDs[6] != "A-7" {
		t.Errorf("columns %v, classes %v, ids %v", coded.Columns, coded.Target.Classes, coded.IDs)
	}
	if info, err := (inlier.Info{Data: inlier.Data{Path: path, Tolerant: true}}).Run(ctx, nil); err != nil || info.Rows != 7 || info.Columns != 7 || info.Missing != 2 {
		t.Errorf("%+v, %v", info, err)
	}
}

// The strict reader says that a file which it refuses can be read, where that is so.
func TestStrictRefusalNamesTolerant(t *testing.T) {
	for text, hinted := range map[string]bool{orderList: true, "a,b\n1,$2\n3,$4\n": true, "a,b\n1,\n3,4\n": false, "this is\nno table\nat all\n": false} {
		_, err := inlier.Data{Path: saved(t, text)}.Read(context.Background(), nil)
		if err == nil {
			t.Errorf("%q was read", text)
			continue
		}
		mistake, ok := inlier.AsError(err)
		if !ok {
			t.Fatal(err)
		}
		_, hint := mistake.Word(inlier.Words{Parameter: func(name string) string { return "--" + name }})
		if strings.Contains(hint, "--tolerant reads it") != hinted {
			t.Errorf("%q: %v, hint %q", text, err, hint)
		}
	}
}

// Dates that a table is converted with are written so that every program reads them; times and zones are kept.
func TestConvertKeepsDates(t *testing.T) {
	for given, want := range map[string][]string{
		"15.01.2024 16.01.2024 17.02.2024":                                         {"2024-01-15", "2024-02-17"},
		"1/15/2024_1:05_PM 1/16/2024_11:00_AM 1/17/2024_12:00_PM":                  {"2024-01-15 13:05:00", "2024-01-17 12:00:00"},
		"2024-01-15T12:00:00+02:00 2024-01-16T12:00:00+02:00 2024-01-17T12:00:00Z": {"2024-01-15T10:00:00Z", "2024-01-17T12:00:00Z"},
		"13:57 08:00 09:30": {"13:57:00", "09:30:00"},
		"2024-01-15_12:00:00.5 2024-01-16_12:00:00.25 2024-Q1": nil,
	} {
		text := "when;x\n"
		for i, cell := range strings.Fields(given) {
			text += strings.ReplaceAll(cell, "_", " ") + ";" + string(rune('3'+i)) + "\n"
		}
		got, err := inlier.Convert{Data: inlier.Data{Path: saved(t, text), Tolerant: true}, Dates: true}.Run(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		rows := got.Table().Rows
		if want == nil {
			want = []string{"2024-01-15 12:00:00.500000", "2024-01-01 00:00:00.000000"}
		}
		if rows[0][0] != want[0] || rows[2][0] != want[1] {
			t.Errorf("%s: %v and %v", given, rows[0][0], rows[2][0])
		}
	}
}

// What a person says of a file's writing holds for fits as it does for checks.
func TestTolerantDataAsItIsSaidToBeWritten(t *testing.T) {
	read := func(text string, d inlier.Data) (string, float64) {
		t.Helper()
		d.Path, d.Tolerant = saved(t, text), true
		got, err := inlier.Convert{Data: d}.Run(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return got.Set.Columns[0], got.Set.X.At(0, 0)
	}
	thousands := "a;b\n1.234;2\n2.345;3\n3.456;4\n4.567;6\n"
	for mark, want := range map[string]float64{"point": 1.234, "comma": 1234} {
		if _, got := read(thousands, inlier.Data{Decimal: mark}); got != want {
			t.Errorf("decimal %s: 1.234 is %g", mark, got)
		}
	}
	if name, _ := read("gr\xc3\xb6\xc3\x9fe,b\n1,2\n2,3\n3,5\n", inlier.Data{Encoding: "windows-1252"}); name != "grÃ¶ÃŸe" {
		t.Errorf("read as Windows-1252 the column is %q", name)
	}
}
