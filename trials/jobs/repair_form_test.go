package jobs

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/internal/random"
)

// A repair writes numbers as their column does: with an exponent and as many digits, and hours without a leading 0.
func TestRepairsAreWrittenAsTheirColumns(t *testing.T) {
	r := random.New(4, "forms")
	text := "lap,start,length,end,conc,twice\n"
	want := map[string]string{}
	for i := range 400 {
		from, length := 60*(60*r.IntN(4)+r.IntN(60)), 60*(1+r.IntN(30))
		conc, _ := strconv.ParseFloat(fmt.Sprintf("%.2E", math.Pow(10, -4+.15*r.NormFloat64())), 64)
		hours := func(s int) string { return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60) }
		cells := []string{hours(from), strconv.Itoa(length / 60), hours(from + length), fmt.Sprintf("%.2E", conc), fmt.Sprintf("%.3e", 2*conc)}
		right := cells
		cells = append([]string(nil), cells...)
		for k, column := range []string{"", "", "end", "conc", "twice"} {
			if i%40 == 7+2*k && k > 1 {
				want[fmt.Sprint(i+1, column)] = right[k]
				cells[k] = []string{"", "", hours(from + length + 43200), fmt.Sprintf("%.2E", 1000*conc), fmt.Sprintf("%.3f", 200*conc)}[k]
			}
		}
		text += fmt.Sprintf("%d,%s,%s,%s,%s,%s\n", i+1, cells[0], cells[1], cells[2], cells[3], cells[4])
	}
	found, err := inlier.Check{Paths: []string{saved(t, text)}, Repair: true}.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	right := 0
	for _, c := range found.Changes() {
		if is, planted := want[fmt.Sprint(c.Row, c.Column)]; !planted || c.Is != is {
			t.Errorf("row %d, %s: %q is %q, not %q", c.Row, c.Column, c.Was, c.Is, is)
		} else {
			right++
		}
	}
	if right < 25 {
		t.Errorf("%d of %d are set right", right, len(want))
	}
}

// A repair changes nothing of a file but the wrong numbers: also where signs stand behind or are brackets, and where all is quoted.
func TestRepairsKeepTheFormOfAFile(t *testing.T) {
	for _, form := range []string{"%.2f", "-%.2f", "(%.2f)", "%.2f-", "−%.2f", `"%.2f"`, "%.2f kg"} {
		r := random.New(5, "files")
		lines := func(off bool) (text string) {
			text = "net,tax,total\r\n"
			for i := range 300 {
				net, tax := float64(1000+r.IntN(90000))/100, float64(500+r.IntN(30000))/100
				total := net + tax
				if off && i%100 == 50 {
					total *= 10
				}
				text += fmt.Sprintf(form+","+form+","+form+"\r\n", net, tax, total)
			}
			return text
		}
		clean := lines(false)
		r = random.New(5, "files")
		found, err := inlier.Check{Paths: []string{saved(t, lines(true))}, Repair: true}.Run(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := found.WriteRepaired(&out); err != nil {
			t.Fatal(err)
		}
		if got := strings.Split(out.String(), "\n"); out.String() != clean {
			for i, line := range strings.Split(clean, "\n") {
				if got[i] != line {
					t.Errorf("%s: %q, not %q", form, got[i], line)
				}
			}
		}
	}
}
