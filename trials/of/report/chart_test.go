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

	"github.com/inlier-ml/inlier/report"
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

func svgOf(t *testing.T, c *report.Chart) []byte {
	t.Helper()
	data, err := c.SVG()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestLabelsAppear(t *testing.T) {
	_, text := elements(t, svgOf(t, galleryLines()))
	for _, want := range []string{"pca-l1", "PcaHubert (R)", "outliers (%)", "largest angle (degrees)", "10", "100"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	_, text = elements(t, svgOf(t, report.OutlierMap("map", report.Distances{
		Score: []float64{1, 1, 9, 1}, Orthogonal: []float64{1, 1, 1, 8}, ScoreCut: 3, OrthogonalCut: 2, Names: []string{"a", "b", "far", ""},
	})))
	for _, want := range []string{"regular (2)", "good leverage (1)", "orthogonal outlier (1)", "bad leverage (0)", "far", "4", "cut-off 3", "cut-off 2"} {
		if !strings.Contains(text, "\n"+want+"\n") {
			t.Errorf("%q is missing in %q", want, text)
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
	log := report.Axis{Label: "v", Log: true}
	grid := [][]float64{v, v[:3], nil}
	charts := map[string]*report.Chart{
		"lines":       report.Lines("t", report.Axis{}, report.Axis{}, report.Series{X: v, Y: v, Low: v, High: v}, report.Series{Y: v[:1]}, report.Series{}),
		"log":         report.Lines("t", log, log, report.Series{X: v, Y: v, Low: v, High: v, Whiskers: true}),
		"scatter":     report.Scatter("t", report.Axis{}, log, report.Series{X: v, Y: v, Labels: []string{"a", "b"}}).EqualUnits(),
		"outliermap":  report.OutlierMap("t", report.Distances{Score: v, Orthogonal: v, ScoreCut: math.NaN(), OrthogonalCut: math.Inf(1)}),
		"scree":       report.Scree("t", report.Spectrum{Values: v}, report.Spectrum{}),
		"weights":     report.Weights("t", v, math.NaN()),
		"convergence": report.Convergence("t", report.Trace{Objective: v, Effective: v}, report.Trace{}),
		"bars":        report.Bars("t", report.Axis{}, []string{"a", "b"}, report.BarSeries{Values: v, Low: v, High: v}),
		"bars log":    report.Bars("t", log, nil, report.BarSeries{Values: v}),
		"histogram":   report.Histogram("t", report.Axis{}, report.Sample{Values: v}, report.Sample{}).MarkX(math.NaN(), "x").MarkY(math.Inf(1), "y"),
		"boxplot":     report.Boxplot("t", report.Axis{}, report.Sample{Name: "a", Values: v}, report.Sample{Name: "b"}),
		"heatmap":     report.HeatMap("t", report.Grid{Values: grid, Contours: 5, Print: "%.1f", Blocks: []int{1}}),
		"confusion":   report.Confusion("t", []string{"a", "b"}, [][]int{{0, 0}, {1, 0}}),
		"images":      report.Images("t", report.Gallery{Cells: [][][]float64{{v, v[:4], nil}}, Shape: []int{2, 2}, Captions: [][]string{{"a"}}}),
		"images none": report.Images("t", report.Gallery{Shape: []int{-1, 1 << 40}, Cells: [][][]float64{{v}}}),
		"decision":    report.DecisionGraph("t", v, v, []int{-1, 0, 99}),
		"roc":         report.ROC("t", report.RateCurve{X: v, Y: v, Area: math.NaN()}),
		"pr":          report.PrecisionRecall("t", math.NaN(), report.RateCurve{X: v, Y: v}),
		"residuals":   report.ResidualPlots("t", report.Residuals{Fitted: v, Standardized: v, Observed: v, Distance: v, Weights: v}),
		"reliability": report.Reliability("t", report.Calibration{Predicted: v, Observed: v, Count: v}),
		"curve":       report.Curve("t", report.Axis{}, report.Axis{}, report.Series{X: v, Y: v}, report.Series{X: v, Y: v}),
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
	for name, c := range map[string]*report.Chart{
		"lines":      report.Lines("t", report.Axis{}, report.Axis{}, report.Series{Y: y, Low: y, High: x}),
		"tangle":     report.Lines("t", report.Axis{}, report.Axis{}, report.Series{X: x, Y: y}),
		"outliermap": report.OutlierMap("t", report.Distances{Score: x, Orthogonal: y, ScoreCut: 2, OrthogonalCut: 2}),
		"weights":    report.Weights("t", y, 0.01),
		"decision":   report.DecisionGraph("t", x, y, []int{777}),
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
