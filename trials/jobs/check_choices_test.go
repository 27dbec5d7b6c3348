package jobs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// invoicesWithASlip are sums of which row 31 is off.
func invoicesWithASlip() (rows [][]string) {
	for i := range 120 {
		net := 1000 + (i*7919)%9000
		vat := net * 19 / 100
		rows = append(rows, []string{cents(net), cents(vat), cents(net + vat)})
	}
	rows[30][2] = cents(987654)
	return rows
}

// What a person chose is done or told, whether or not the check thought of it: cells that nothing is wrong with are emptied, and that
// nothing is known to set right is said.
func TestChoicesAboutUnsuspiciousCells(t *testing.T) {
	rows := invoicesWithASlip()
	table := tolerant.FromStrings([]string{"net", "vat", "total"}, rows, tolerant.Options{})
	choices := []inlier.Choice{{Row: 60, Column: "vat", Choice: inlier.Empty}, {Row: 31, Column: "total", Choice: inlier.Repair}, {Row: 7, Column: "net", Choice: inlier.Repair},
		{Row: 9, Choice: inlier.Repair}, {Row: 12, Choice: inlier.Drop}, {Row: 12, Column: "net", Choice: inlier.Empty}, {Row: 13, Column: "net", Choice: inlier.Keep}}
	r, err := inlier.Check{Table: table, Repair: true, Choices: choices}.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range r.Changes() {
		got = append(got, fmt.Sprint(c.Row, " ", c.Column, " ", c.Was, ">", c.Is))
	}
	net := 1000 + (30*7919)%9000
	want := []string{"12  >", "31 total 9876.54>" + cents(net+net*19/100), "60 vat " + rows[59][1] + ">"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("changed %q, want %q", got, want)
	}
	var repaired strings.Builder
	if err := r.WriteRepaired(&repaired); err != nil {
		t.Fatal(err)
	}
	if line := strings.Split(repaired.String(), "\n")[59]; line != rows[59][0]+",,"+rows[59][2] { // row 60, one dropped before it
		t.Errorf("row 60 became %q", line)
	}
	told := ""
	for _, m := range r.Remarks {
		told += m.Text
	}
	if !strings.Contains(told, "row 7, net") || !strings.Contains(told, "row 9") || strings.Contains(told, "row 60") {
		t.Errorf("told %q", told)
	}
}

// A batch has columns that the model does not know: they can be chosen about as well.
func TestChoicesAboutColumnsOfABatch(t *testing.T) {
	rows := invoicesWithASlip()
	learned, err := inlier.Check{Table: tolerant.FromStrings([]string{"net", "vat", "total"}, rows, tolerant.Options{})}.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		rows[i] = append([]string{fmt.Sprint("note ", i)}, rows[i]...)
	}
	batch := tolerant.FromStrings([]string{"remark", "net", "vat", "total"}, rows, tolerant.Options{})
	choices := []inlier.Choice{{Row: 5, Column: "remark", Choice: inlier.Empty}, {Row: 6, Column: "vat", Choice: inlier.Empty}}
	r, err := inlier.Check{Table: batch, Learned: learned.Model, Repair: true, Choices: choices}.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var repaired strings.Builder
	if err := r.WriteRepaired(&repaired); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(repaired.String(), "\n")
	if want := strings.Join(append([]string{""}, rows[4][1:]...), ","); lines[5] != want {
		t.Errorf("row 5 became %q, want %q", lines[5], want)
	}
	if want := strings.Join([]string{rows[5][0], rows[5][1], "", rows[5][3]}, ","); lines[6] != want {
		t.Errorf("row 6 became %q, want %q", lines[6], want)
	}
}

// Lists of choices as spreadsheets write them are read; what they cannot mean is one line.
func TestReadChoices(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]string{
		"\ufeffrow,column,choice\r\n3,net,empty\r\n":    "[{3 net empty}] <nil>",
		"row;column;choice\n3;net;empty\n4;;drop\n":     "[{3 net empty} {4  drop}] <nil>",
		"Row,Column,Choice\n 3,net,Empty \n":            "[{3 net empty}] <nil>",
		"row,column,choice\n3,net,empty\nx,net,empty\n": "line 3",
		"row,column,choice\n3,net\n":                    "line 2",
		"row,choice\n3,drop\n":                          "no list of choices",
		"":                                              "no list of choices",
	} {
		path := filepath.Join(dir, "choices.csv")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		list, err := inlier.ReadChoices(path)
		if got := fmt.Sprint(list, " ", err); !strings.Contains(got, want) || strings.Contains(got, "\n") {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	table := tolerant.FromStrings([]string{"net", "vat", "total"}, invoicesWithASlip(), tolerant.Options{})
	for want, choice := range map[string]inlier.Choice{
		"row 121":      {Row: 121, Choice: inlier.Drop},
		`column "Net"`: {Row: 2, Column: "Net", Choice: inlier.Empty},
		`"emptied"`:    {Row: 2, Column: "net", Choice: "emptied"},
		`"repair all"`: {Row: 2, Choice: "repair all"},
		`mean "total"`: {Row: 2, Column: "totl", Choice: inlier.Empty},
	} {
		_, err := inlier.Check{Table: table, Choices: []inlier.Choice{choice}}.Run(context.Background(), nil)
		var told *inlier.Error
		if !errors.As(err, &told) || strings.Contains(told.Error(), "\n") || !strings.Contains(told.Problem+told.Hint, want) {
			t.Errorf("%+v: %v (%+v), want %s", choice, err, told, want)
		}
	}
}
