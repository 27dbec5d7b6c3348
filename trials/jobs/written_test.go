package jobs_test

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
)

// Few rows do not tell how they are written: 1.234 alone is one and a bit, 03/04/2024 in April or in March, -999 a number, "ja" a word. The
// rows that a model was fitted to have told, and its file keeps it.
func TestFewRowsAreReadAsTheTrainingRowsWere(t *testing.T) {
	var rows []string
	for i := range 300 {
		count, day, month := 1000+37*(i%97), 1+i%28, 1+i*5%12
		price := 0.5*float64(count) + 3*float64(i%29) + float64(i%2)*100 + float64(i%7)/10
		level := fmt.Sprint(20 + i%29)
		if i%25 == 3 {
			level = "-999"
		}
		rows = append(rows, fmt.Sprintf("%d.%03d;%02d/%02d/2024;%s;%s;%s", count/1000, count%1000, day, month, level, []string{"nein", "ja"}[i%2], strings.Replace(fmt.Sprintf("%.2f", price), ".", ",", 1)))
	}
	const head = "count;when;level;member;price\n"
	for name, fit := range map[string]func(f inlier.Fit) inlier.Model{
		"fit": func(f inlier.Fit) inlier.Model {
			result, err := f.Run(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			return result.Fitted()
		},
		"monitored": func(f inlier.Fit) inlier.Model {
			result, err := inlier.Monitor{Fit: f, Fits: 1}.Run(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			return result.Fitted()
		},
	} {
		file := filepath.Join(t.TempDir(), "model.npz")
		made := fit(inlier.Fit{Method: "linear-robust", Data: inlier.Data{Reader: strings.NewReader(head + strings.Join(rows, "\n")), Target: "price", Tolerant: true}})
		if err := made.Save(file); err != nil {
			t.Fatal(err)
		}
		ask := func(text string) []float64 {
			t.Helper()
			got, err := inlier.Predict{Model: inlier.Model{Path: file}, Data: inlier.Data{Reader: strings.NewReader(text), Tolerant: true}, Gaps: true}.Run(t.Context(), nil)
			if err != nil {
				t.Fatal(name, err)
			}
			return got.Prediction.Values
		}
		whole := ask(head + strings.Join(rows, "\n"))
		for _, i := range []int{0, 1, 2, 3, 5} {
			cut := strings.LastIndexByte(rows[i], ';') // what is to be told is not there yet
			if alone := ask("count;when;level;member\n" + rows[i][:cut] + "\n"); len(alone) != 1 || alone[0] != whole[i] && !(math.IsNaN(alone[0]) && math.IsNaN(whole[i])) {
				t.Errorf("%s: row %d, %s: %v alone and %v among the others", name, i+1, rows[i], alone, whole[i])
			}
		}
	}
}
