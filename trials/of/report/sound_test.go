package report

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/report"
)

func TestEveryChartIsSoundSVG(t *testing.T) {
	for _, e := range gallery() {
		t.Run(e.name, func(t *testing.T) {
			for _, width := range []float64{0, 350} {
				e.chart.Width = width
				data := svgOf(t, e.chart)
				names, text := elements(t, data)
				if names["svg"] != 1 || names["title"] != 1 || names["text"] == 0 {
					t.Errorf("elements are %v", names)
				}
				if !strings.Contains(strings.Join(strings.Fields(text), " "), e.chart.Title) {
					t.Errorf("the title %q is not in the picture", e.chart.Title)
				}
				for _, bad := range []string{"NaN", "Inf", "script", "%!"} {
					if bytes.Contains(data, []byte(bad)) {
						t.Errorf("the picture contains %q", bad)
					}
				}
				if !bytes.Contains(data, []byte("var(--ink,#1C2126)")) {
					t.Error("the colours are not variables of the page")
				}
				if len(data) > 1_000_000 {
					t.Errorf("%d bytes", len(data))
				}
			}
		})
	}
}

func TestSameChartSameBytes(t *testing.T) {
	render := func() [][]byte {
		var list [][]byte
		for _, e := range gallery() {
			for _, f := range []func() ([]byte, error){e.chart.SVG, e.chart.PDF, func() ([]byte, error) { return e.chart.PNG(200) }} {
				data, err := f()
				if err != nil {
					t.Fatal(err)
				}
				list = append(list, data)
			}
		}
		html, err := galleryPage().HTML()
		if err != nil {
			t.Fatal(err)
		}
		return append(list, html)
	}
	a, b := render(), render()
	for i := range a {
		if !bytes.Equal(a[i], b[i]) {
			t.Errorf("rendering %d differs from run to run", i)
		}
	}
}

func TestPageIsOneFile(t *testing.T) {
	data, err := galleryPage().HTML()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?:src|href|url)\s*[=(]\s*["']?([^"')\s>]+)`).FindAllSubmatch(data, -1) {
		target := string(m[1])
		if !strings.HasPrefix(target, "#") && !strings.HasPrefix(target, "data:") {
			t.Errorf("the page refers to %s", target)
		}
	}
	for _, want := range []string{"<nav", `id="convergence"`, `href="#convergence"`, "Content-Security-Policy", "prefers-color-scheme: dark", `name="viewport"`, `aria-label="Outlier map`} {
		if !bytes.Contains(data, []byte(want)) {
			t.Errorf("%q is missing", want)
		}
	}
	if bytes.Contains(data, []byte("ZgotmplZ")) {
		t.Error("the template refused a value")
	}
	path := filepath.Join(t.TempDir(), "page.html")
	if err := galleryPage().Save(path); err != nil {
		t.Fatal(err)
	}
	if saved, err := os.ReadFile(path); err != nil || !bytes.Equal(saved, data) {
		t.Errorf("the saved page differs (%v)", err)
	}
}

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
		if got := report.Made(bytes.NewReader(data), int64(len(data))); got != want {
			t.Errorf("a %s file is taken for %q", want, got)
		}
		if want == "png" {
			if _, err := png.Decode(bytes.NewReader(data)); err != nil {
				t.Errorf("the marked picture cannot be read: %v", err)
			}
		}
	}
	for _, foreign := range []string{"", "<svg", "<svg xmlns=\"\"></svg>", "<!DOCTYPE html><p>Made by Inlier</p>", "\x89PNG\r\n\x1a\n", "%PDF-1.4", "a,b\n1,2\n"} {
		if got := report.Made(bytes.NewReader([]byte(foreign)), int64(len(foreign))); got != "" {
			t.Errorf("%q is taken for our %s", foreign, got)
		}
	}
}
