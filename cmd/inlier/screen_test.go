package main

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/rivo/uniseg"

	"github.com/inlier-ml/inlier/report"
)

// What rules the terminal does not reach it, letters and our own bold do, also when a
// write ends in the middle of either.
func TestScreen(t *testing.T) {
	for in, want := range map[string]string{
		"Größe 数 👍🏽\n":                        "Größe 数 👍🏽\n",
		"\x1b[1mbold\x1b[0m":                  "\x1b[1mbold\x1b[0m",
		"a\x1b]0;title\x07b":                  "a\uFFFD]0;title\uFFFDb",
		"\x1b[2J\x1b[H":                       "\uFFFD[2J\uFFFD[H",
		"\x9b2J \u009b2J":                     "\uFFFD2J \uFFFD2J",
		"carriage\rreturn\b":                  "carriage\uFFFDreturn\uFFFD",
		"\u202eevil":                          "\uFFFDevil",
		"\x1b[1;32mgood\x1b[0m\tand \x1b[31A": "\x1b[1;32mgood\x1b[0m\tand \uFFFD[31A",
	} {
		for step := 1; step <= len(in); step++ {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			s := &screen{File: w}
			for rest := in; rest != ""; {
				n := min(step, len(rest))
				if _, err := s.Write([]byte(rest[:n])); err != nil {
					t.Fatal(err)
				}
				rest = rest[n:]
			}
			w.Close()
			got, _ := io.ReadAll(r)
			if string(got) != want {
				t.Errorf("%q in pieces of %d is shown as %q, want %q", in, step, got, want)
			}
		}
	}
}

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
