package tolerant

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// Lines that are no rows: each file is the same table of 30 rows with something about or between them.
func TestLinesThatAreNoRows(t *testing.T) {
	line := func(i int) string { return fmt.Sprintf("x%d,%.2f,%d", i%3, float64(i*37%101)/7, i%5) }
	with := func(above string, between string) string {
		return above + rowsOf(10, line) + between + rowsOf(10, func(i int) string { return line(i + 10) }) + between + rowsOf(10, func(i int) string { return line(i + 20) })
	}
	for name, c := range map[string]struct{ text, kinds, remark string }{
		"repeated header":        {with("a,b,c\n", "a,b,c\n"), "a category, b number, c number", "2 lines repeat the header and were left out."},
		"remarks as wide":        {with("# made by hand\n# on, a, Monday\na,b,c\n", ""), "a category, b number, c number", "2 lines above"},
		"remarks between":        {with("a,b,c\n", "# calibrated, here\n"), "a category, b number, c number", "2 lines begin with # between the rows"},
		"header after a #":       {with("#a,b,c\n", ""), "#a category, b number, c number", ""},
		"number sign":            {with("#,b,c\n", ""), "# category, b number, c number", ""},
		"units":                  {with("a,b,c\n-,m/s,[°C]\n", ""), "a category, b number, c number", "holds units (m/s, °C)"},
		"two lines of names":     {with("name,group one,\n,low,high\n", ""), "name category, group one low number, group one high number", "two lines"},
		"drawn line":             {with("a,b,c\n---,:--,--:\n", ""), "a category, b number, c number", ""},
		"returns among the ends": {strings.ReplaceAll(strings.ReplaceAll(with("a,b,c\n", ""), "x1", "\rx1"), "\n\r", "\r"), "a category, b number, c number", ""},
		"zeros at the end":       {with("a,b,c\n", "") + strings.Repeat("\x00", 50), "a category, b number, c number", ""},
		"two marks":              {"\ufeff\ufeff" + with("a,b,c\n", ""), "a category, b number, c number", ""},
		"measures above":         {with("name,900nm,902nm\n", ""), "name category, 900nm number, 902nm number", ""},
		"months above":           {with("name,2024-01,2024-02\n", ""), "name category, 2024-01 number, 2024-02 number", ""},
		"semicolons in texts":    {strings.ReplaceAll(with("a,b,c\n", ""), "x", "p;q;r"), "a category, b number, c number", ""},
		"circumflexes":           {strings.ReplaceAll(with("a,b,c\n", ""), ",", "^"), "a category, b number, c number", `separated by "^"`},
		"colons":                 {strings.ReplaceAll(with("a,b,c\n", ""), ",", ":"), "a category, b number, c number", `separated by ":"`},
	} {
		table, err := tolerant.Open(t.Context(), []string{"-"}, tolerant.Options{Input: strings.NewReader(c.text)})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := kindsOf(table); got != c.kinds || table.Rows != 30 || !strings.Contains(remarksOf(table), c.remark) {
			t.Errorf("%s: %d rows of %s; %s", name, table.Rows, got, remarksOf(table))
		}
		if last := table.Columns[1]; len(last.Misfits) > 0 || last.Missing > 0 || table.Text(29, 1) != line(29)[3:len(line(29))-2] {
			t.Errorf("%s: misfits %v, last cell %q", name, last.Misfits, table.Text(29, 1))
		}
	}
	// A column of times is not split at its colons, and a row of texts below a header is a row.
	times, err := tolerant.Open(t.Context(), []string{"-"}, tolerant.Options{Input: strings.NewReader("start\n" + rowsOf(9, func(i int) string { return fmt.Sprintf("0%d:30:00", i) }))})
	if err != nil || kindsOf(times) != "start date" {
		t.Errorf("%v %v", times, err)
	}
	texts, err := tolerant.Open(t.Context(), []string{"-"}, tolerant.Options{Input: strings.NewReader("a,b,c\nx,n/a,1\ny,2,3\nx,3,4\ny,5,6\n")})
	if err != nil || texts.Rows != 4 {
		t.Errorf("%v %v", texts, err)
	}
}

func TestUnitsAbove(t *testing.T) {
	table := open(t, tolerant.Options{}, save(t, "d.csv", "depth,note\nm,-\n1.5,x\n2.5,y\n3.5,x\n4.5,y\n"))
	if c := table.Columns[0]; c.Unit != "m" || !c.Above || table.Rows != 4 {
		t.Errorf("%+v", c)
	}
}

// What is rewritten has the encoding, mark and line ends of the file, byte for byte.
func TestRewriteKeepsEncodings(t *testing.T) {
	text := strings.ReplaceAll(small, "anna", "änne€")
	sixteen := func(big bool) string {
		var b []byte
		for _, u := range utf16.Encode([]rune("\ufeff" + text + "\U0001f600;5\n")) {
			if big {
				b = append(b, byte(u>>8), byte(u))
			} else {
				b = append(b, byte(u), byte(u>>8))
			}
		}
		return string(b)
	}
	for name, was := range map[string]string{
		"utf-8": text, "mark": "\ufeff" + text, "returns": strings.ReplaceAll(text, "\n", "\r"), "both": strings.ReplaceAll(text, "\n", "\r\n"),
		"windows": strings.NewReplacer("ä", "\xe4", "€", "\x80").Replace(text), "16le": sixteen(false), "16be": sixteen(true),
	} {
		table := open(t, tolerant.Options{}, save(t, "data.csv", was))
		var same, changed bytes.Buffer
		if err := table.Rewrite(&same, nil, nil); err != nil || same.String() != was {
			t.Errorf("%s: %q became %q, %v", name, was, same.String(), err)
		}
		if err := table.Rewrite(&changed, map[[2]int]string{{1, 0}: "öde"}, nil); err != nil {
			t.Fatal(err)
		}
		again := open(t, tolerant.Options{}, save(t, "again.csv", changed.String()))
		if again.Text(1, 0) != "öde" || again.Text(0, 0) != "änne€" || remarksOf(again) != remarksOf(table) {
			t.Errorf("%s: %q %q; %s", name, again.Text(0, 0), again.Text(1, 0), remarksOf(again))
		}
	}
	mixed := "n;v\nänne;1\n\xe4nne;2\n"
	table := open(t, tolerant.Options{}, save(t, "mixed.csv", mixed))
	var out bytes.Buffer
	if err := table.Rewrite(&out, nil, nil); err != nil || out.String() != "n;v\nänne;1\nänne;2\n" || !strings.Contains(remarksOf(table), "each was read as what it is") {
		t.Errorf("%q %v; %s", out.String(), err, remarksOf(table))
	}
}

// Marks that are never closed cost no search each.
func TestManyOpenQuotations(t *testing.T) {
	for name, line := range map[string]func(i int) string{
		"alone":    func(i int) string { return fmt.Sprintf(`"x%d text %d`, i%3, i) },
		"in rows":  func(i int) string { return fmt.Sprintf(`"x%d,%d.5,%d`, i%3, i, i%5) },
		"with one": func(i int) string { return fmt.Sprintf(`"x%d "more" text,%d.5,%d`, i%3, i, i%5) },
	} {
		text := "a,b,c\n" + rowsOf(20000, line) + "\"x\",1,2\n"
		if name == "alone" {
			text = "a\n" + rowsOf(20000, line)
		}
		table, err := tolerant.Open(t.Context(), []string{"-"}, tolerant.Options{Input: strings.NewReader(text)})
		if err != nil || table.Rows < 20000 {
			t.Errorf("%s: %v %v", name, table, err)
		}
	}
}
