package report

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// allowed are the elements and attributes that text can bring into a page.
var allowed = map[string]string{"x": "", "p": "", "strong": "", "em": "", "code": "", "ul": "", "ol": "", "li": "", "a": "href rel", "div": "class tabindex", "pre": ""}

func FuzzProse(f *testing.F) {
	for _, s := range []string{"a **b** `c` [d](https://e.f)", "<script>", "[x](java\nscript:a)", "- *`**[](", "```\n\x00\xff", "\u202e]]>&amp;", `[a](" onclick="x)`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := "<x>" + prose(s) + "</x>"
		d := xml.NewDecoder(strings.NewReader(out))
		d.Entity = xml.HTMLEntity
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				t.Fatalf("%v in %q", err, out)
			}
			start, ok := token.(xml.StartElement)
			if !ok {
				continue
			}
			attributes, ok := allowed[start.Name.Local]
			if !ok {
				t.Fatalf("element %s from %q", start.Name.Local, s)
			}
			for _, a := range start.Attr {
				if !strings.Contains(attributes, a.Name.Local) {
					t.Fatalf("attribute %s from %q", a.Name.Local, s)
				}
				if a.Name.Local == "href" && !safeLink(a.Value) {
					t.Fatalf("link to %q from %q", a.Value, s)
				}
			}
		}
	})
}

// FuzzChartText: whatever the names, a picture is sound XML in which they are
// nothing but text.
func FuzzChartText(f *testing.F) {
	for _, s := range []string{"plain", "<script>alert(1)</script>", `"><image href=x>`, "a\x00b\xff\ufffe", "]]>", "&lt;", "日本語 \u202e x", "\n\t"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c := Lines(s, Axis{Label: s}, Axis{Label: s}, Series{Name: s, Y: []float64{1, 2}, Labels: []string{s}})
		c.Note = s
		names, _ := elements(t, svgOf(t, c))
		for name := range names {
			switch name {
			case "svg", "title", "path", "text":
			default:
				t.Fatalf("element %s from %q", name, s)
			}
		}
	})
}

// TestContrast computes the contrast ratio of WCAG 2 for every text and series
// colour, by day and by night.
func TestContrast(t *testing.T) {
	light, dark, found := strings.Cut(pageStyle, "@media (prefers-color-scheme: dark)")
	if !found {
		t.Fatal("no dark colours")
	}
	variables := func(css string) map[string]string {
		css, _, _ = strings.Cut(css, "\n* {")
		list := map[string]string{}
		for _, m := range regexp.MustCompile(`--([a-z0-9-]+):\s*#([0-9A-F]{6})`).FindAllStringSubmatch(css, -1) {
			list[m[1]] = m[2]
		}
		return list
	}
	day, night := variables(light), variables(dark)
	for _, c := range append([]tone{ink, muted, grid, rule, paper}, palette...) {
		if day[c.name] == "" {
			day[c.name] = hex(c)
		} else if day[c.name] != hex(c) {
			t.Errorf("%s is %s in the page and %s in charts", c.name, day[c.name], hex(c))
		}
		if night[c.name] == "" {
			t.Errorf("%s has no dark value", c.name)
		}
	}
	for _, c := range palette {
		day["on-"+c.name] = hex(c.onTop())
	}
	for name, scheme := range map[string]map[string]string{"light": day, "dark": night} {
		for _, ground := range []string{"paper", "back"} {
			for _, text := range []string{"ink", "muted", "link", "good", "warn", "bad"} {
				if c := contrastOf(t, scheme[text], scheme[ground]); c < 4.5 {
					t.Errorf("%s: %s on %s has contrast %.2f, want 4.5", name, text, ground, c)
				}
			}
		}
		for _, s := range palette {
			if c := contrastOf(t, scheme[s.name], scheme["paper"]); c < 2.2 {
				t.Errorf("%s: %s on paper has contrast %.2f", name, s.name, c)
			}
			// Bars let a little of the paper through.
			if c := contrastOf(t, scheme["on-"+s.name], mixed(t, scheme[s.name], scheme["paper"], barAlpha)); c < 4.5 {
				t.Errorf("%s: text on bars of %s has contrast %.2f, want 4.5", name, s.name, c)
			}
		}
	}
}

// mixed is a colour over another one, partly transparent.
func mixed(t *testing.T, over, under string, alpha uint8) string {
	t.Helper()
	a, errA := strconv.ParseUint(over, 16, 32)
	b, errB := strconv.ParseUint(under, 16, 32)
	if errA != nil || errB != nil {
		t.Fatal(errA, errB)
	}
	var c tone
	for shift, part := range map[int]*uint8{16: &c.r, 8: &c.g, 0: &c.b} {
		x, y := float64(a>>shift&255), float64(b>>shift&255)
		*part = uint8(math.Round((x*float64(alpha) + y*float64(255-alpha)) / 255))
	}
	return hex(c)
}

func hex(c tone) string {
	return strings.ToUpper(strconv.FormatUint(0x1000000|uint64(c.r)<<16|uint64(c.g)<<8|uint64(c.b), 16)[1:])
}

// contrastOf is the contrast of two colours as CSS writes them.
func contrastOf(t *testing.T, a, b string) float64 {
	t.Helper()
	parse := func(s string) tone {
		v, err := strconv.ParseUint(s, 16, 32)
		if err != nil {
			t.Fatalf("colour %q: %v", s, err)
		}
		return tone{"", uint8(v >> 16), uint8(v >> 8), uint8(v), 255}
	}
	return contrast(parse(a), parse(b))
}

// Values by the formula of WCAG 2.2, as the WebAIM contrast checker gives them.
func TestContrastFormula(t *testing.T) {
	for pair, want := range map[[2]string]float64{{"000000", "FFFFFF"}: 21, {"777777", "FFFFFF"}: 4.48, {"0072B2", "FFFFFF"}: 5.19, {"FF0000", "0000FF"}: 2.15} {
		if got := contrastOf(t, pair[0], pair[1]); math.Abs(got-want) > 0.005 {
			t.Errorf("contrast of %v is %.3f, want %.2f", pair, got, want)
		}
	}
	// Any colour of any map bears text.
	for _, m := range []Colormap{Sequential, Diverging, Grey, Intensity, Heat} {
		for i := range 101 {
			ground := m.at(float64(i) / 100)
			if c := contrast(ground.readable(), ground); c < 4.5 {
				t.Errorf("map %d at %d %%: text has contrast %.2f", m, i, c)
			}
		}
	}
}

// A diverging map on paper is paper where nothing deviates, so that it is pale by night as well; its ends carry their colours in full.
func TestDivergingFadesIntoPaper(t *testing.T) {
	middle, low, high := Diverging.onPaper(0.5), Diverging.onPaper(0), Diverging.onPaper(1)
	if middle.alpha != 0 || low.alpha != 255 || high.alpha != 255 || low.b < low.r || high.r < high.b {
		t.Errorf("middle %v, ends %v and %v", middle, low, high)
	}
	if Sequential.onPaper(0.5) != Sequential.at(0.5) {
		t.Error("a map without a middle does not fade")
	}
}
