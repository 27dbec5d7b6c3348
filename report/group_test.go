package report

import (
	"bytes"
	"strings"
	"testing"
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
func TestSuperscriptsAreRaised(t *testing.T) {
	face := tickText.face()
	got := pieces(face, "3×10⁻⁴ m")
	var all []string
	for _, p := range got {
		all = append(all, p.text)
		if p.width <= 0 || p.absent {
			t.Errorf("%+v", p)
		}
	}
	if strings.Join(all, "|") != "3×10|−4| m" {
		t.Fatalf("%q", all)
	}
	if !(got[1].face.Font.Size < face.Font.Size && got[1].lift > 0 && got[0].lift == 0 && got[2].face.Font.Size == face.Font.Size) {
		t.Errorf("%+v", got)
	}
}
