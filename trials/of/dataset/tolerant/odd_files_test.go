package tolerant

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// seen is what every column was taken for and the value of its first cell, as a person would say it.
func seen(table *tolerant.Table) string {
	var all []string
	for j := range table.Columns {
		c := &table.Columns[j]
		first := table.Text(0, j)
		switch c.Kind {
		case tolerant.Number:
			first = strconv.FormatFloat(c.Values[0], 'g', -1, 64)
		case tolerant.Date:
			first = tolerant.FormatDate(c.PlainLayout(), c.Values[0])
		case tolerant.Boolean, tolerant.Category:
			first = c.Levels[int(c.Values[0])]
		}
		all = append(all, strings.TrimSpace(c.Name+" "+c.Kind.String()+" "+first))
	}
	return strings.Join(all, "; ")
}

func wide16(text string) string {
	b := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(text)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}

// Files as people keep them: what every column must be taken for, and its first value.
func TestOddFiles(t *testing.T) {
	const n = 12
	at := func(i int, list ...string) string { return list[i%len(list)] }
	x := func(i int) string { return fmt.Sprintf("%.2f", 100.5+float64(i*i)) }
	comma := func(s string) string { return strings.Replace(s, ".", ",", 1) }
	plain := "key,city,x\n" + rowsOf(n, func(i int) string { return fmt.Sprintf("K-%d,%s,%s", 7*i, at(i, "Köln", "Rom"), x(i)) })
	base := "key id K-0; city category Köln; x number 100.5"
	for name, c := range map[string]struct {
		text, want string
		rows       int // n where 0
	}{
		"UTF-8 with mark":      {text: "\ufeff" + plain, want: base},
		"UTF-16":               {text: wide16(plain), want: base},
		"Windows-1252":         {text: strings.ReplaceAll(plain, "ö", "\xf6"), want: base},
		"carriage returns":     {text: strings.ReplaceAll(plain, "\n", "\r"), want: base},
		"blank lines":          {text: "\r\n" + strings.ReplaceAll(plain, "\n", "\r\n\r\n"), want: base},
		"tabs":                 {text: strings.ReplaceAll(plain, ",", "\t"), want: base},
		"vertical bars":        {text: strings.ReplaceAll(plain, ",", " | "), want: base},
		"tildes":               {text: strings.ReplaceAll(plain, ",", "~"), want: base},
		"drawn table":          {text: "|key|city|x|\n|---|:--|--:|\n" + rowsOf(n, func(i int) string { return fmt.Sprintf("| K-%d | %s | %s |", 7*i, at(i, "Köln", "Rom"), x(i)) }), want: base},
		"decimal commas":       {text: "a;b\n" + rowsOf(n, func(i int) string { return comma(x(i)) + ";" + fmt.Sprintf("1.%03d,5", i) }), want: "a number 100.5; b number 1000.5"},
		"Swiss":                {text: "a;b\n" + rowsOf(n, func(i int) string { return fmt.Sprintf("1'%03d.50;CHF 2’%03d.05", i, i) }), want: "a number 1000.5; b number 2000.05"},
		"commas in numbers":    {text: "a,b\n" + rowsOf(n, func(i int) string { return fmt.Sprintf(`"1,%03d",%s`, i*80, x(i)) }), want: "a number 1000; b number 100.5"},
		"currencies":           {text: "usd,eur\n" + rowsOf(n, func(i int) string { return "$" + x(i) + "," + x(i) + " €" }), want: "usd number 100.5; eur number 100.5"},
		"several currencies":   {text: "key,price\n" + rowsOf(n, func(i int) string { return fmt.Sprintf("K-%d,%s%s", 7*i, at(i, "$", "€", "£"), x(i)) }), want: "key id K-0; price number 100.5"},
		"percent and units":    {text: "p,w,v\n" + rowsOf(n, func(i int) string { return x(i) + " %," + x(i) + "kg," + x(i) + " m/s" }), want: "p number 100.5; w number 100.5; v number 100.5"},
		"brackets are minus":   {text: "a,b\n" + rowsOf(n, func(i int) string { return at(i, "(5.50)", "7.25") + "," + at(i, "3-", "4") }), want: "a number -5.5; b number -3"},
		"marks of missing":     {text: "a,b\n" + rowsOf(n, func(i int) string { return x(i) + "," + at(i, "2.5", "n/a", "3.5", "-", "4.5", "#N/A") }), want: "a number 100.5; b number 2.5"},
		"truths":               {text: "a,b\n" + rowsOf(n, func(i int) string { return at(i, "yes,WAHR", "no,FALSCH") }), want: "a boolean yes; b boolean WAHR"},
		"codes with zeros":     {text: "zip,x\n" + rowsOf(n, func(i int) string { return fmt.Sprintf("%05d,%s", i*i*731, x(i)) }), want: "zip id 00000; x number 100.5"},
		"long numbers":         {text: "card,x\n" + rowsOf(n, func(i int) string { return fmt.Sprintf("41111111111111%03d,%s", i*i, x(i)) }), want: "card id 41111111111111000; x number 100.5"},
		"German dates":         {text: "d;x\n" + rowsOf(n, func(i int) string { return fmt.Sprintf("%d.3.2024;%s", i+5, comma(x(i))) }), want: "d date 2024-03-05; x number 100.5"},
		"American times":       {text: "d,x\n" + rowsOf(n, func(i int) string { return fmt.Sprintf("3/%d/2024 1:05 PM,%s", i+5, x(i)) }), want: "d date 2024-03-05 13:05:00; x number 100.5"},
		"months in words":      {text: "d;x\n" + rowsOf(n, func(i int) string { return fmt.Sprintf("%d. März 2024;%s", i+5, comma(x(i))) }), want: "d date 2024-03-05; x number 100.5"},
		"zones":                {text: "d,x\n" + rowsOf(n, func(i int) string { return fmt.Sprintf("2024-03-%02dT01:00:00+02:00,%s", i+5, x(i)) }), want: "d date 2024-03-04T23:00:00Z; x number 100.5"},
		"doubled names":        {text: "x,x,\n" + rowsOf(n, func(i int) string { return x(i) + "," + x(i) + "," + x(i) }), want: "x number 100.5; x (2) number 100.5; column3 number 100.5"},
		"title and footer":     {text: "Report of March,,\n\n" + plain + "\nSource: nobody,,\n", want: base},
		"total":                {text: plain + "Total,,1712.00\n", want: base},
		"two lines of names":   {text: ",size,,mass\nkey,min,max,\n" + rowsOf(n, func(i int) string { return fmt.Sprintf("K-%d,%s,%s,%s", 7*i, x(i), x(i), x(i)) }), want: "key id K-0; size min number 100.5; size max number 100.5; mass number 100.5"},
		"units below":          {text: "key,depth\n,m\n" + rowsOf(n, func(i int) string { return fmt.Sprintf("K-%d,%s", 7*i, x(i)) }), want: "key id K-0; depth number 100.5"},
		"lines in quotes":      {text: "note,x\n" + rowsOf(n, func(i int) string { return fmt.Sprintf("\"said \"\"%d\"\",\nand left\",%s", i, x(i)) }), want: "note text said \"0\",\nand left; x number 100.5"},
		"inches":               {text: "pipe,x\n" + rowsOf(n, func(i int) string { return at(i, `5" pipe`, `"6 pipe`) + "," + x(i) }), want: `pipe category 5" pipe; x number 100.5`},
		"ragged":               {text: plain + "K-x,Rom\nK-y,Rom,5.50,7\n", want: base, rows: n + 2},
		"delimiter at the end": {text: strings.ReplaceAll(plain, "\n", ",\n"), want: base},
		"row names of R":       {text: "city x\n" + rowsOf(n, func(i int) string { return fmt.Sprintf(`"K-%d" "%s" %s`, 7*i, at(i, "Köln", "Rom"), x(i)) }), want: "column1 id K-0; city category Köln; x number 100.5"},
		"no names":             {text: strings.TrimPrefix(plain, "key,city,x\n"), want: "x1 id K-0; x2 category Köln; x3 number 100.5"},
		"a text in numbers":    {text: plain + "K-x,Rom,oops\n", want: base, rows: n + 1},
		"JSON columns":         {text: `{"a": [1.5, 2, NaN], "b": ["x", "y", null]}`, want: "a number 1.5; b text x", rows: 3},
		"JSON within":          {text: `{"ok": true, "result": {"page": 1, "rows": [{"a": 1, "b": {"c": 5}}, {"a": 2}, {"a": 3, "b": {"c": 7}}]}}`, want: "a number 1; b.c number 5", rows: 3},
		"JSON split":           {text: `{"columns": ["a", "b"], "index": [0, 1], "data": [[1, "p"], [2, "q"]]}`, want: "a number 1; b text p", rows: 2},
		"JSON lists":           {text: "[\"a\", \"b\"]\n[1, 2.5]\n[3, 4.5]\n", want: "a number 1; b number 2.5", rows: 2},
		"JSON by key":          {text: `{"p": {"a": 1, "b": 2}, "q": {"a": 3, "b": 4}, "r": {"a": 5, "b": 6}}`, want: "key id p; a number 1; b number 2", rows: 3},
		"JSON of pandas":       {text: `{"a": {"0": 1, "1": 3}, "b": {"0": 2, "1": 4}}`, want: "a number 1; b number 2", rows: 2},
	} {
		table, err := tolerant.Open(t.Context(), []string{"-"}, tolerant.Options{Input: strings.NewReader(c.text)})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		sound(t, table)
		if c.rows == 0 {
			c.rows = n
		}
		if got := seen(table); got != c.want || table.Rows != c.rows {
			t.Errorf("%s: %d rows of\n%s, not\n%s", name, table.Rows, got, c.want)
		}
	}
}
