package tolerant_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// A first line of numbers names columns where these are wavelengths or places; a first row is one however its numbers go.
func TestNumbersThatNameColumns(t *testing.T) {
	table := func(head string, rows int, cell func(i, k int) string, last ...string) string {
		var text strings.Builder
		if head != "" {
			text.WriteString(head + "\n")
		}
		for i := range rows {
			for k := range 5 {
				text.WriteString(cell(i, k) + ",")
			}
			if last == nil {
				last = []string{"a", "b", "c"}
			}
			text.WriteString(last[i%len(last)] + "\n")
		}
		return text.String()
	}
	absorbed := func(i, k int) string { return fmt.Sprintf("%.3f", 1.5+math.Sin(float64(i*7+k*k))) }
	counted := func(i, k int) string { return fmt.Sprint((i*i*31 + k*k*977) % 1000) }
	rising := func(i, k int) string { return fmt.Sprint(10*i + 3*k + i*k%3) }
	three := func(head string, cell func(i, k int) string) string {
		text := head + "\n"
		for i := range 60 {
			if strings.HasPrefix(head, ",") {
				text += fmt.Sprint(i, ",")
			}
			text += cell(i, 0) + "," + cell(i, 1) + "," + cell(i, 2) + "\n"
		}
		return text
	}
	graded := func(i, k int) string { return fmt.Sprint(1 + (i*i*31+k*7)%5) }
	for name, c := range map[string]struct {
		text string
		rows int
	}{
		"three places":                    {three("0,1,2", absorbed), 60},
		"three places from 1":             {three("1,2,3", counted), 60},
		"three places beside numbers":     {three(",0,1,2", absorbed), 60},
		"three grades":                    {three("1,2,3", graded), 61},
		"three counters":                  {three("0,1,2", func(i, k int) string { return fmt.Sprint((i + 1) * (i + 2 + k)) }), 61},
		"numbers of rows, and counts":     {three("1,2,3", func(i, k int) string { return fmt.Sprint([]int{i + 2, (i + 3) * (i + k), 7 * (i + 1)}[k]) }), 61},
		"wavelengths":                     {table("400.5,401.0,401.5,402.1,402.8,class", 60, absorbed), 60},
		"falling wavelengths":             {table("902,901.5,901,880,879,class", 60, absorbed), 60},
		"places":                          {table("0,1,2,3,4,class", 60, counted), 60},
		"places of a frame":               {table("0,1,2,3,4,5", 60, counted, "7", "1", "3"), 60},
		"channels":                        {table("400,410,420,430,440,450", 60, counted, "70", "10", "30"), 60},
		"no names":                        {table("", 60, absorbed), 60},
		"no names, rising":                {table("", 60, rising), 60},
		"no names, rising, numbers alone": {table("", 60, rising, "990", "991", "992"), 60},
		"no names, a first row far out":   {table("90,70.5,80,85,91,b", 60, absorbed), 61},
		"no names, a class of its own":    {table("1.7,1.8,1.9,2.0,2.3,d", 60, absorbed), 61},
	} {
		read, err := tolerant.Open(context.Background(), []string{"-"}, tolerant.Options{Input: strings.NewReader(c.text)})
		if err != nil {
			t.Fatal(err)
		}
		if read.Rows != c.rows {
			t.Errorf("%s: %d rows, not %d, of columns %s, ...", name, read.Rows, c.rows, read.Columns[0].Name)
		}
		strict, err := file.OpenReader(context.Background(), "t.csv", strings.NewReader(c.text), file.Options{Categorical: "ordinal"})
		if err != nil {
			t.Fatal(err)
		}
		if rows, err := strict.Count(context.Background()); err != nil || rows != c.rows {
			t.Errorf("%s, read strictly: %d rows, %v", name, rows, err)
		}
		strict.Close()
	}
}
