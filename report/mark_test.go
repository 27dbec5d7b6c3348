package report

import (
	"bytes"
	"image/png"
	"testing"
)

// Every format is recognised as our own, also when the chart describes itself at length,
// and nothing of somebody else is.
func TestMadeKnowsItsOwn(t *testing.T) {
	chart := galleryLines()
	forms := map[string]func() ([]byte, error){
		"svg": chart.SVG, "pdf": chart.PDF, "png": func() ([]byte, error) { return chart.PNG(300) }, "html": galleryPage().HTML,
	}
	for want, form := range forms {
		data, err := form()
		if err != nil {
			t.Fatal(err)
		}
		if got := Made(bytes.NewReader(data), int64(len(data))); got != want {
			t.Errorf("a %s file is taken for %q", want, got)
		}
		if want == "png" {
			if _, err := png.Decode(bytes.NewReader(data)); err != nil {
				t.Errorf("the marked picture cannot be read: %v", err)
			}
		}
	}
	for _, foreign := range []string{"", "<svg", "<svg xmlns=\"\"></svg>", "<!DOCTYPE html><p>Made by Inlier</p>", headerPNG, "%PDF-1.4", "a,b\n1,2\n"} {
		if got := Made(bytes.NewReader([]byte(foreign)), int64(len(foreign))); got != "" {
			t.Errorf("%q is taken for our %s", foreign, got)
		}
	}
}
