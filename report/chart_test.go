package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
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

func TestLabelsAppear(t *testing.T) {
	_, text := elements(t, svgOf(t, galleryLines()))
	for _, want := range []string{"pca-l1", "PcaHubert (R)", "outliers (%)", "largest angle (degrees)", "10", "100"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	_, text = elements(t, svgOf(t, OutlierMap("map", Distances{
		Score: []float64{1, 1, 9, 1}, Orthogonal: []float64{1, 1, 1, 8}, ScoreCut: 3, OrthogonalCut: 2, Names: []string{"a", "b", "far", ""},
	})))
	for _, want := range []string{"regular (2)", "good leverage (1)", "orthogonal outlier (1)", "bad leverage (0)", "far", "4", "cut-off 3", "cut-off 2"} {
		if !strings.Contains(text, "\n"+want+"\n") {
			t.Errorf("%q is missing in %q", want, text)
		}
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

func TestPNGHasTheWidthAskedFor(t *testing.T) {
	for _, width := range []int{333, 720, 1001} {
		data, err := galleryLines().PNG(width)
		if err != nil {
			t.Fatal(err)
		}
		config, err := png.DecodeConfig(bytes.NewReader(data))
		if err != nil || config.Width != width {
			t.Errorf("asked for %d px, got %d (%v)", width, config.Width, err)
		}
	}
	for _, width := range []int{0, -1, 1 << 30} {
		if _, err := galleryLines().PNG(width); err == nil {
			t.Errorf("a width of %d px is accepted", width)
		}
	}
}

// embedded is a picture within a picture.
var embedded = regexp.MustCompile(`href="data:[^"]*"`)

// strange holds values that must neither break a picture nor show up in it.
var strange = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e308, -1e308, 5e-324, 0, -1, 1, 1e-310}

func TestStrangeValues(t *testing.T) {
	v := strange
	log := Axis{Label: "v", Log: true}
	grid := [][]float64{v, v[:3], nil}
	charts := map[string]*Chart{
		"lines":       Lines("t", Axis{}, Axis{}, Series{X: v, Y: v, Low: v, High: v}, Series{Y: v[:1]}, Series{}),
		"log":         Lines("t", log, log, Series{X: v, Y: v, Low: v, High: v, Whiskers: true}),
		"scatter":     Scatter("t", Axis{}, log, Series{X: v, Y: v, Labels: []string{"a", "b"}}).EqualUnits(),
		"outliermap":  OutlierMap("t", Distances{Score: v, Orthogonal: v, ScoreCut: math.NaN(), OrthogonalCut: math.Inf(1)}),
		"scree":       Scree("t", Spectrum{Values: v}, Spectrum{}),
		"weights":     Weights("t", v, math.NaN()),
		"convergence": Convergence("t", Trace{Objective: v, Effective: v}, Trace{}),
		"bars":        Bars("t", Axis{}, []string{"a", "b"}, BarSeries{Values: v, Low: v, High: v}),
		"bars log":    Bars("t", log, nil, BarSeries{Values: v}),
		"histogram":   Histogram("t", Axis{}, Sample{Values: v}, Sample{}).MarkX(math.NaN(), "x").MarkY(math.Inf(1), "y"),
		"boxplot":     Boxplot("t", Axis{}, Sample{Name: "a", Values: v}, Sample{Name: "b"}),
		"heatmap":     HeatMap("t", Grid{Values: grid, Contours: 5, Print: "%.1f", Blocks: []int{1}}),
		"confusion":   Confusion("t", []string{"a", "b"}, [][]int{{0, 0}, {1, 0}}),
		"images":      Images("t", Gallery{Cells: [][][]float64{{v, v[:4], nil}}, Shape: []int{2, 2}, Captions: [][]string{{"a"}}}),
		"images none": Images("t", Gallery{Shape: []int{-1, 1 << 40}, Cells: [][][]float64{{v}}}),
		"decision":    DecisionGraph("t", v, v, []int{-1, 0, 99}),
		"roc":         ROC("t", RateCurve{X: v, Y: v, Area: math.NaN()}),
		"pr":          PrecisionRecall("t", math.NaN(), RateCurve{X: v, Y: v}),
		"residuals":   ResidualPlots("t", Residuals{Fitted: v, Standardized: v, Observed: v, Distance: v, Weights: v}),
		"reliability": Reliability("t", Calibration{Predicted: v, Observed: v, Count: v}),
		"curve":       Curve("t", Axis{}, Axis{}, Series{X: v, Y: v}, Series{X: v, Y: v}),
		"zero":        {Title: "t"},
	}
	for name, c := range charts {
		t.Run(name, func(t *testing.T) {
			data := embedded.ReplaceAll(svgOf(t, c), nil)
			elements(t, data)
			for _, bad := range []string{"NaN", "Inf", "e+", "%!"} {
				if bytes.Contains(data, []byte(bad)) {
					t.Errorf("the picture contains %q:\n%s", bad, data)
				}
			}
			if _, err := c.PNG(100); err != nil {
				t.Error(err)
			}
			if _, err := c.PDF(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestMillionRowsStaySmall(t *testing.T) {
	const n = 1_000_000
	r := rand.New(rand.NewPCG(3, 4))
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], y[i] = math.Abs(r.NormFloat64()), math.Abs(r.NormFloat64())
	}
	x[777], y[777] = 40, 40 // a lonely row must survive the thinning
	for name, c := range map[string]*Chart{
		"lines":      Lines("t", Axis{}, Axis{}, Series{Y: y, Low: y, High: x}),
		"tangle":     Lines("t", Axis{}, Axis{}, Series{X: x, Y: y}),
		"outliermap": OutlierMap("t", Distances{Score: x, Orthogonal: y, ScoreCut: 2, OrthogonalCut: 2}),
		"weights":    Weights("t", y, 0.01),
		"decision":   DecisionGraph("t", x, y, []int{777}),
	} {
		data := svgOf(t, c)
		if len(data) > 1_000_000 {
			t.Errorf("%s: %d bytes", name, len(data))
		}
		if _, text := elements(t, data); name == "outliermap" && !strings.Contains(text, "\n778\n") {
			t.Error("the farthest row is not named")
		}
	}
}

func TestSave(t *testing.T) {
	dir := t.TempDir()
	c := galleryLines()
	for name, start := range map[string]string{"a.svg": "<svg", "a.png": "\x89PNG", "a.PDF": "%PDF"} {
		path := filepath.Join(dir, name)
		if err := c.Save(path); err != nil {
			t.Fatal(err)
		}
		if data, err := os.ReadFile(path); err != nil || !bytes.HasPrefix(data, []byte(start)) {
			t.Errorf("%s starts with %.8q (%v)", name, data, err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "dir.svg"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"a.gif":         `not ".gif"`,
		"none/a.svg":    "does not exist",
		"dir.svg":       "is a directory",
		"without-a-dot": `not ""`,
	} {
		err := c.Save(filepath.Join(dir, name))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "report: ") {
			t.Errorf("%s: error is %v, want one with %q", name, err, want)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 4 {
		t.Errorf("files left: %v (%v)", left, err)
	}
}
