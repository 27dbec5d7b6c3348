package jobs

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// Where nothing can be judged the verdict does not say that nothing looks wrong.
func TestVerdictSaysWhatCouldNotBeJudged(t *testing.T) {
	folder := t.TempDir()
	var text strings.Builder
	text.WriteString("t\n")
	for i := range 30 {
		text.WriteString(strings.Repeat("word ", i+1) + "and so on\n")
	}
	var many strings.Builder
	many.WriteString("a,b\n")
	for i := range 40 {
		if i%5 == 4 {
			fmt.Fprintf(&many, "%d.5,see note\n", i*i%37)
		} else {
			fmt.Fprintf(&many, "%d.5,%d.25\n", i*i%37, i*i*i%41)
		}
	}
	for _, c := range []struct{ name, file, verdict string }{
		{"one row", "a,b,c\n1,2,3\n", "Nothing could be judged: there is only 1 row, and no other to hold it against."},
		{"texts", text.String(), "Nothing could be judged in 30 rows: no column holds numbers, dates or categories."},
		{"all missing", "a,b\n" + strings.Repeat("NA,\n", 20), "Nothing could be judged in 20 rows: no column holds numbers, dates or categories."},
		{"five rows", "a,b\n1,2\n2,3\n3,4\n4,400\n5,6\n", "Too few rows to judge: 5 rows, every cell of which could be read."},
		{"a text among three numbers", "a,b\n1,2\n2,abc\n3,4\n", "1 of 3 rows looks wrong (33.3 %: unreadable 1); 3 rows are too few to judge the rest."},
		{"no such day in four", "a,b\n1,2025-01-01\n2,2025-13-45\n3,2025-01-03\n4,2025-01-04\n", "1 of 4 rows looks wrong (25 %: unreadable 1); 4 rows are too few to judge the rest."},
		{"many texts", many.String(), "8 cells could not be read; nothing else looks wrong in 40 rows."},
		{"ten rows", "a,b\n1,2.5\n2,3.1\n3,4.7\n4,1.1\n5,6.2\n6,0.3\n7,2.2\n8,4.1\n9,3.3\n10,2.8\n", "Nothing looks wrong in 10 rows."},
	} {
		path := filepath.Join(folder, c.name+".csv")
		if err := os.WriteFile(path, []byte(c.file), 0o666); err != nil {
			t.Fatal(err)
		}
		r, err := inlier.Check{Paths: []string{path}, Seed: 1}.Run(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != c.verdict {
			t.Errorf("%s: %q, want %q", c.name, r.Verdict, c.verdict)
		}
	}
}

// A new batch is read as the table was that the model was learned from, however small it is and
// whatever is missing in it: a single row does not tell what its columns are.
func TestBatchIsReadAsWhatWasLearned(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var text strings.Builder
	text.WriteString("class,a,b\n")
	for i := range 100 {
		class := []string{"7a", "7b", "8a", "8b"}[i*i%7%4]
		fmt.Fprintf(&text, "%s,%d.5,%d\n", class, 50+i*37%41, 2*(50+i*37%41)+i%3)
	}
	model := filepath.Join(folder, "model.npz")
	ctx := context.Background()
	learned, err := inlier.Check{Paths: []string{write("old.csv", text.String())}, Seed: 1}.Run(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := learned.Model.Save(model); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, batch string
		wrong       int
	}{
		{"codes that could be numbers", "class,a,b\n7a,60.5,121\n7b,70.5,141\n", 0},
		{"a column without a value", "class,a,b\n7a,60.5,\n7b,70.5,\n", 0},
		{"numbers that count the rows", "b,class,a\n121,8a,60\n123,8a,61\n125,8a,62\n", 0},
		{"texts instead of numbers", "class,a,b\n7a,some words,121\n7b,others,141\n", 2},
		{"one text in one row", "class,a,b\n7a,some words,121\n", 1},
		{"one text in five rows", "class,a,b\n7a,60.5,121\n7a,61.5,123\n7b,x,121\n8a,60.5,121\n7b,65.5,131\n", 1},
		{"a column that is not there", "class,a\n7a,60.5\n7b,70.5\n", 0},
		{"a word that no row had", "class,a,b\n7a,60.5,121\n7a,61.5,123\n7b,62.5,125\n8a,60.5,121\n8b,65.5,131\n", 1},
	} {
		r, err := inlier.Check{Paths: []string{write("new.csv", c.batch)}, Against: model, Seed: 1}.Run(ctx, nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if len(r.WrongRows) != c.wrong {
			t.Errorf("%s: wrong rows %v, want %d: %+v", c.name, r.WrongRows, c.wrong, r.WrongCells)
		}
		if c.name == "a column that is not there" && r.Verdict != "Nothing looks wrong in 2 rows, judged without b, which is not there." {
			t.Errorf("%s: %s", c.name, r.Verdict)
		}
	}
}

// Where German and American numbers stand in one column a repair writes numbers that can be read.
func TestRepairOfMixedWritingsCanBeRead(t *testing.T) {
	var text strings.Builder
	text.WriteString("nr;net;gross\n")
	for i := range 120 {
		net := 100 + 300*math.Mod(float64(i)*0.618, 1)
		line := fmt.Sprintf("%d;%.2f;%.2f\n", i+1, net, 2*net)
		switch {
		case i == 61:
			line = fmt.Sprintf("%d;%.2f;99999.00\n", i+1, net)
		case i%3 == 0:
			line = fmt.Sprintf("%d;%d.%03d,50;%d.%03d,00\n", i+1, 1+i/60, 100+i, 2*(1+i/60), 2*(100+i)+1)
		}
		text.WriteString(line)
	}
	path := filepath.Join(t.TempDir(), "mixed.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	r, err := inlier.Check{Paths: []string{path}, Repair: true, Seed: 1}.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	changes := r.Changes()
	if len(changes) == 0 {
		t.Fatal("nothing was repaired")
	}
	for _, c := range changes {
		if strings.Count(c.Is, ".") > 1 || strings.Count(c.Is, ",") > 1 {
			t.Errorf("%s: %q became %q", c.Column, c.Was, c.Is)
		}
	}
}

// A table that was put together with itself is told as such in the verdict; one of few values is not.
func TestDoubledTable(t *testing.T) {
	rows := func(n, distinct, values int) [][]string {
		var out [][]string
		for i := range n {
			k := i % distinct
			out = append(out, []string{strconv.Itoa(k * k % 997 % values), strconv.Itoa(k * 7919 % 1009 % values), strconv.Itoa(k * 31 % 499 % values)})
		}
		return out
	}
	for want, table := range map[string][][]string{"Every row is there twice.": rows(120, 60, 1000), "Every row is there 4 times.": rows(120, 30, 1000), "": rows(120, 119, 1000), " ": rows(120, 113, 3)} {
		result, err := inlier.Check{Table: tolerant.FromStrings([]string{"a", "b", "c"}, table, tolerant.Options{})}.Run(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if want = strings.TrimSpace(want); strings.Contains(result.Verdict, "there") != (want != "") || !strings.HasSuffix(result.Verdict, want) {
			t.Errorf("%q, want %q", result.Verdict, want)
		}
	}
}
