package file

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset/file"
)

// TestSimpleRows reads texts of numbers and of everything that is none, once as they are and once
// with a quotation mark among the names, which has all rows split into fields first.
func TestSimpleRows(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	odd := []string{"NA", "", " 7.25", "8 ", "1e3", "-2.5E-4", "+4", ".5", "5.", "?", "12345678901234567890.5", "0.1234567890123456789", "nan", "-0", "123456789"}
	wrong := []string{"x", "inf", "1e999", "1\r", "--1", "1.2.3", "1 2", "1,2", "\n"}
	refused := 0
	for trial := range 300 {
		width, end := 1+r.IntN(4), []string{"\n", "\r\n"}[trial%2]
		delimiter := []string{",", ";", "\t", "|"}[r.IntN(4)]
		var text strings.Builder
		for i := range 30 {
			for j := range width {
				if j > 0 {
					text.WriteString(delimiter)
				}
				switch {
				case r.IntN(10) == 0:
					text.WriteString(odd[r.IntN(len(odd))])
				case trial%3 == 0 && r.IntN(200) == 0:
					text.WriteString(wrong[r.IntN(len(wrong))])
				default:
					fmt.Fprintf(&text, "%.*f", r.IntN(18), r.NormFloat64()*100)
				}
			}
			if i < 29 || trial%5 > 0 {
				text.WriteString(end)
			}
		}
		header := strings.Join([]string{"a", "b", "c", "d"}[:width], delimiter)
		opts := file.Options{Missing: file.MissingKeep, Delimiter: delimiter, Header: file.HeaderYes}
		switch {
		case width > 2 && trial%4 == 1:
			opts.Target, opts.Task = "b", "regression"
		case width > 1 && trial%4 == 2:
			opts.Drop = []string{"a"}
		case width > 1 && trial%4 == 3:
			opts.Columns = []string{"b", "a"}
		}
		said := func(header string) string {
			s, err := file.OpenReader(context.Background(), "text", strings.NewReader(header+end+text.String()), opts)
			if err != nil {
				return err.Error()
			}
			defer s.Close()
			set, err := s.Read(context.Background())
			if err != nil {
				return err.Error()
			}
			return fmt.Sprint(set.X.RawMatrix(), set.Target)
		}
		simple, split := said(header), said(`"a"`+header[1:])
		if simple != split {
			t.Fatalf("%q with %+v:\n%s\nbut split into fields\n%s", text.String(), opts, simple, split)
		}
		if strings.Contains(split, "line ") {
			refused++
		}
	}
	if refused < 5 || refused > 150 {
		t.Errorf("%d of 300 texts were refused", refused)
	}
}
