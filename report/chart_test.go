package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

// elements parses an XML document and returns its elements and its text. It fails
// the test when the document is not well-formed.
func elements(t *testing.T, data []byte) (names map[string]int, text string) {
	t.Helper()
	names = map[string]int{}
	var all strings.Builder
	d := xml.NewDecoder(bytes.NewReader(data))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return names, all.String()
		}
		if err != nil {
			t.Fatalf("not well-formed: %v\n%.300s", err, data)
		}
		switch token := token.(type) {
		case xml.StartElement:
			names[token.Name.Local]++
		case xml.CharData:
			all.Write(token)
			all.WriteByte('\n')
		}
	}
}

func svgOf(t *testing.T, c *Chart) []byte {
	t.Helper()
	data, err := c.SVG()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

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
