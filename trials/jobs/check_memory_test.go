package jobs

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// dirtyText is a table of all kinds of columns with mistakes of all kinds, and more rows than are kept in memory under a bound.
func dirtyText(rows int) string {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString("no,day,kind,a,b,sum,note\n")
	last := ""
	for i := range rows {
		a, e := 50+10*r.NormFloat64(), r.NormFloat64()
		kind := []string{"red", "green", "blue"}[r.IntN(3)]
		sum := fmt.Sprintf("%.2f", a+2*a+e)
		switch r.IntN(60) {
		case 0:
			sum = "about " + sum
		case 1:
			a = 500
		case 2:
			kind = "gren"
		case 3:
			a, sum = a+3*a, fmt.Sprintf("%.2f", a/7)
		}
		line := fmt.Sprintf("2024-%02d-%02d,%s,%.2f,%.2f,%s,\"text, %d\"\n", 1+i*11/rows, 1+r.IntN(28), kind, a, 2*a+e, sum, i%500)
		if last != "" && r.IntN(300) == 0 {
			line = last
		}
		last = line
		fmt.Fprintf(&b, "A%05d,%s", i, line)
	}
	return b.String()
}

var everything = os.Getenv("INLIER_CONFORMANCE") == "all"

// TestCheckWithinMemory: under a bound on memory a table is kept in temporary files, and the verdicts, the reasons and the page
// are those of a check in memory, byte by byte: of text, several files, packed text, other encodings and formats, and of a batch.
func TestCheckWithinMemory(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	text := dirtyText(8400)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(text))
	z.Close()
	half := strings.Index(text, "A04200")
	one := write("one.csv", []byte(text))
	header := text[:strings.IndexByte(text, '\n')+1]
	set, err := inlier.Data{Path: one, Columns: []string{"a", "b"}}.Read(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	columns := filepath.Join(dir, "one.parquet")
	if err := file.Write(columns, set, file.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	first, err := inlier.Check{Paths: []string{one}, Reading: inlier.Reading{Limit: 3000}}.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var model bytes.Buffer
	if _, err := first.Model.WriteTo(&model); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]inlier.Check{
		"text":     {Paths: []string{one}},
		"files":    {Paths: []string{write("a.csv", []byte(text[:half])), write("b.csv", []byte(header+text[half:]))}},
		"packed":   {Paths: []string{write("one.csv.gz", packed.Bytes())}},
		"encoded":  {Paths: []string{write("w.csv", []byte(strings.ReplaceAll(text, "text", "\xfcber")))}},
		"parquet":  {Paths: []string{columns}, Expect: 0.01},
		"target":   {Paths: []string{one}, Target: "kind"},
		"expected": {Paths: []string{one}, Expect: 0.03},
		"batch":    {Paths: []string{one}, Against: write("model.npz", model.Bytes())},
	} {
		t.Run(name, func(t *testing.T) {
			if !everything && name != "files" {
				t.Skip("INLIER_CONFORMANCE=all tries it")
			}
			c.Repair = true
			want := written(t, c)
			c.Memory = 16 << 20
			for k, got := range written(t, c) {
				if got != want[k] {
					t.Errorf("%s of %d bytes differ from the %d in memory", k, len(got), len(want[k]))
				}
			}
		})
	}
}

// written is what a check writes.
func written(t *testing.T, c inlier.Check) map[string]string {
	r, err := c.Run(context.Background(), nil)
	if err != nil && (strings.Contains(err.Error(), "itself in memory") || strings.Contains(err.Error(), "maps no files")) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if kept := r.Memory > 0 && r.Table.Room() != nil && r.Found.Cells == nil; kept != (c.Memory > 0) {
		t.Errorf("kept in files: %t", kept)
	}
	r.Remarks = nil // of a bound that a whole program does not keep
	var page []byte
	if everything {
		if page, err = r.Page(context.Background()).HTML(); err != nil {
			t.Fatal(err)
		}
	}
	out := map[string]string{"page": string(page), "verdict": r.Verdict, "kinds": fmt.Sprint(kindsOf(r.Table)), "rows": fmt.Sprint(r.WrongRows, r.Extreme, r.Relations, r.Groups)}
	var b bytes.Buffer
	for name, write := range map[string]func() error{"rows.csv": func() error { return r.WriteRows(&b) }, "cells.csv": func() error { return r.WriteCells(&b) },
		"repaired": func() error { return r.WriteRepaired(&b) }, "model": func() error { _, err := r.Model.WriteTo(&b); return err }} {
		b.Reset()
		if err := write(); err != nil {
			t.Fatal(err)
		}
		out[name] = b.String()
	}
	if len(r.WrongRows) == 0 || len(out["rows.csv"]) < 1000 {
		t.Errorf("nothing was found: %s", r.Verdict)
	}
	return out
}

func kindsOf(t *tolerant.Table) (kinds []tolerant.Kind) {
	for j := range t.Columns {
		kinds = append(kinds, t.Columns[j].Kind)
	}
	return kinds
}
