package console

import (
	"io"
	"os"
	"testing"

	"github.com/inlier-ml/inlier/internal/console"
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
			s := &console.Screen{File: w}
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
