package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rivo/uniseg"

	"github.com/inlier-ml/inlier/report"
)

func TestMessagesAreCalm(t *testing.T) {
	var errs bytes.Buffer
	a := &app{err: &errs}
	a.fail(usage("\x1b[2J", "column \"\x1b]0;x\x07\" is wrong"))
	a.note("%s", "\x1b[H")
	if strings.ContainsAny(errs.String(), "\x1b\x07") {
		t.Errorf("printed %q", errs.String())
	}
}

// Columns stand below each other whatever the letters, and letters stay letters.
func TestTablesOfLettersAlign(t *testing.T) {
	t.Setenv("LC_ALL", "de_DE.UTF-8")
	var out bytes.Buffer
	a := &app{out: &out}
	table := &report.Table{Columns: []report.Column{{Name: "Größe"}, {Name: "x"}}}
	for _, name := range []string{"数据", "e\u0301", "👍🏽", "plain"} {
		table.Add(name, 1.0)
	}
	if err := a.printTable(table, false); err != nil {
		t.Fatal(err)
	}
	a.pairs("数据", "1", "abcd", "1")
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	for _, line := range lines[2:6] {
		if w := uniseg.StringWidth(line); w != 8 {
			t.Errorf("%q is %d places wide, want 8", line, w)
		}
	}
	if !strings.Contains(lines[0], "Größe") || uniseg.StringWidth(lines[6]) != uniseg.StringWidth(lines[7]) {
		t.Errorf("printed\n%s", out.String())
	}
	t.Setenv("LC_ALL", "de_DE.ISO-8859-1")
	out.Reset()
	if err := a.printTable(table, false); err != nil {
		t.Fatal(err)
	}
	if strings.IndexFunc(out.String(), func(r rune) bool { return r > 126 }) >= 0 {
		t.Errorf("printed\n%s", out.String())
	}
}
