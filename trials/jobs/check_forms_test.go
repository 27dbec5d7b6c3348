package jobs

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/internal/random"
)

// A table is judged alike in whatever form its file is, also in parts; the share that is expected to be wrong is called, and a check has failed where more
// than the share that is allowed is wrong.
func TestVerdictsDoNotDependOnTheForm(t *testing.T) {
	r := random.New(8, "forms of files")
	const rows, parts = 300, 3
	lines := make([]string, rows)
	for i := range lines {
		net, tax := 1000+r.IntN(90000), 500+r.IntN(30000)
		total := net + tax
		if i%60 == 7 {
			total *= 10
		}
		lines[i] = strings.Join([]string{"N" + cents(100000+i), cents(net), cents(tax), cents(total)}, ",")
	}
	table := func(from, to int) string { return "no,net,tax,total\n" + strings.Join(lines[from:to], "\n") + "\n" }
	whole := table(0, rows)
	wide := append([]uint16{0xfeff}, utf16.Encode([]rune(whole))...)
	var little, packed, archive bytes.Buffer
	for _, u := range wide {
		little.Write([]byte{byte(u), byte(u >> 8)})
	}
	gz := gzip.NewWriter(&packed)
	io.WriteString(gz, whole)
	gz.Close()
	z := zip.NewWriter(&archive)
	folder := t.TempDir()
	for k := range parts {
		part := table(k*rows/parts, (k+1)*rows/parts)
		name := "part" + cents(k) + ".csv"
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, part)
		if err := os.WriteFile(filepath.Join(folder, name), []byte(part), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	z.Close()
	run := func(c inlier.Check) *inlier.CheckResult {
		t.Helper()
		found, err := c.Run(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	verdicts := func(c inlier.Check) string {
		t.Helper()
		var out strings.Builder
		if err := run(c).WriteRows(&out); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	plain := saved(t, whole)
	want := verdicts(inlier.Check{Paths: []string{plain}})
	if n := strings.Count(want, ",true,relation,"); n != rows/60 {
		t.Fatalf("%d rows are wrong in a file of %d mistakes", n, rows/60)
	}
	for name, text := range map[string]string{
		"BOM": "\ufeff" + whole, "CRLF": strings.ReplaceAll(whole, "\n", "\r\n"), "semicolons": strings.ReplaceAll(whole, ",", ";"), "bars": strings.ReplaceAll(whole, ",", "|"),
		"tabs": strings.ReplaceAll(whole, ",", "\t"), "blank lines": whole + "\n\n", "UTF-16": little.String(), "gzip": packed.String(), "zip of parts": archive.String(),
	} {
		if got := verdicts(inlier.Check{Paths: []string{saved(t, text)}}); got != want {
			t.Errorf("%s: other verdicts", name)
		}
	}
	if got := verdicts(inlier.Check{Paths: []string{filepath.Join(folder, "part*.csv")}}); got != want {
		t.Error("a pattern: other verdicts")
	}
	if got := run(inlier.Check{Paths: []string{plain}, Expect: 0.1}); len(got.WrongRows) != rows/10 {
		t.Errorf("%d rows are called where 30 are expected", len(got.WrongRows))
	}
	share := float64(rows/60) / rows
	for above, failed := range map[float64]bool{-1: true, share - 1e-9: true, share: false, 0.99: false} {
		if got := run(inlier.Check{Paths: []string{plain}, FailAbove: above}); got.Failed != failed {
			t.Errorf("a share of %g wrong, %g allowed: failed is %v", share, above, got.Failed)
		}
	}
}
