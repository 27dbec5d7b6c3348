package report

import (
	"bytes"
	"strings"
	"testing"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

func TestGroupHoldsEveryChart(t *testing.T) {
	a := Lines("First", Axis{Label: "x"}, Axis{Label: "y"}, Series{Name: "s", X: []float64{1, 2}, Y: []float64{3, 4}})
	b := Weights("Second", []float64{1, 0.5, 0}, 0.1) // two panels: takes a row of its own
	g := Group("Both", a, b)
	data, err := g.SVG()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Both", "First", "Second", "Weight of each row", "Rows by weight"} {
		if !bytes.Contains(data, []byte(want)) {
			t.Errorf("%q is missing", want)
		}
	}
	// Side by side two charts need less height than above each other.
	pair := group{a, a}
	if wide, narrow := pair.height(900), pair.height(narrowSheet-1); wide >= narrow {
		t.Errorf("height %v on a wide sheet, %v on a narrow one", wide, narrow)
	}
	if rows := (group{a, b, a, a}).rows(900); len(rows) != 3 {
		t.Errorf("%d rows", len(rows))
	}
	if Group("x", a) != a {
		t.Error("a single chart was wrapped")
	}
}

// Superscripts become small raised letters of the font; nothing is lost.
func TestSpell(t *testing.T) {
	face := tickText.face()
	type piece struct {
		text string
		size font.Length
		y    vg.Length
	}
	var got []piece
	var last vg.Length = -1
	spell(face, vg.Point{X: 10, Y: 5}, "3×10⁻⁴ m", func(f font.Face, at vg.Point, text string) {
		if at.X <= last {
			t.Errorf("%q stands at %v, left of %v", text, at.X, last)
		}
		last = at.X
		got = append(got, piece{text, f.Font.Size, at.Y})
	})
	var all []string
	for _, p := range got {
		all = append(all, p.text)
	}
	if strings.Join(all, "|") != "3×10|−4| m" {
		t.Fatalf("%q", all)
	}
	if !(got[1].size < got[0].size && got[1].y > got[0].y && got[2].y == got[0].y && got[2].size == face.Font.Size) {
		t.Errorf("%+v", got)
	}
}
