package report

import (
	"bytes"
	"image/color"
	"image/png"
	"strings"
	"testing"
)

// Colour pictures and residuals with one value per pixel stand in one gallery, each row
// on its own scale.
func TestGalleryMixesColourAndHeat(t *testing.T) {
	g := Gallery{
		Shape:     []int{1, 1, 3},
		Cells:     [][][]float64{{{10, 0, 0}}, {{5}}, {{0}}, {{10, 20}}},
		RowColors: []Colormap{Grey, Grey, Heat, Grey},
		Ranges:    [][2]float64{{0, 10}, {0, 10}, {0, 1}},
	}
	data, err := Images("", g).PNG(300)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	found := map[color.RGBA]int{}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			r, g, b, _ := img.At(x, y).RGBA()
			found[color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 255}]++
		}
	}
	coldest := Heat.at(0)
	for name, c := range map[string]color.RGBA{
		"red": {255, 0, 0, 255}, "half grey": {128, 128, 128, 255}, "cold": {coldest.r, coldest.g, coldest.b, 255},
	} {
		if found[c] < 100 {
			t.Errorf("%s is missing: %d pixels", name, found[c])
		}
	}
}

func TestTraceBreaksBetweenStages(t *testing.T) {
	collect := func(tr Trace) (list [][2]int) {
		for first, last := range tr.stages() {
			list = append(list, [2]int{first, last})
		}
		return list
	}
	got := collect(Trace{Objective: []float64{5, 4, 7, 6, 6}, Stage: []int{0, 0, 1, 1, 2}})
	if len(got) != 3 || got[0] != [2]int{0, 2} || got[1] != [2]int{2, 4} || got[2] != [2]int{4, 5} {
		t.Errorf("stages are %v", got)
	}
	if got := collect(Trace{Objective: []float64{3, 2}}); len(got) != 1 || got[0] != [2]int{0, 2} {
		t.Errorf("one stage is %v", got)
	}
	if got := collect(Trace{}); len(got) != 0 {
		t.Errorf("nothing is %v", got)
	}
	// Steps are counted from the start, which is 0.
	_, text := elements(t, svgOf(t, Convergence("c", Trace{Objective: []float64{3, 2, 1}})))
	if !strings.Contains(text, "\n0\n") {
		t.Errorf("the axis does not begin at step 0: %q", text)
	}
}

func TestBlocksAreNamed(t *testing.T) {
	g := Grid{Values: [][]float64{{1, 0, 0}, {0, 1, 0.5}, {0, 0.5, 1}}, Blocks: []int{1}, BlockNames: []string{"first", "second"}}
	marks := g.blockMarks(3)
	if len(marks) != 2 || marks[0].at != 1 || marks[1].at != 2.5 {
		t.Errorf("marks are %v: blocks of one and two rows have their middles at 1 and 2.5", marks)
	}
	_, text := elements(t, svgOf(t, HeatMap("h", g)))
	if strings.Count(text, "second") != 2 {
		t.Errorf("the second block is not named on both axes: %q", text)
	}
}

// An outlier map with a verdict of somebody else shows that one: a far row is not marked as a wrong one.
func TestOutlierMapWithVerdict(t *testing.T) {
	d := Distances{Score: []float64{1, 9, 2}, Orthogonal: []float64{1, 1, 9}, ScoreCut: 3, OrthogonalCut: 3, Verdict: []int{0, 1, 2}}
	if kinds := d.kinds(); len(kinds[regular]) != 1 || len(kinds[goodLever]) != 1 || len(kinds[badLever]) != 1 {
		t.Errorf("kinds %v", kinds)
	}
	if named := d.extremes(); len(named) != 1 || named[0].name != "3" {
		t.Errorf("named %v, want row 3 alone", named)
	}
}
