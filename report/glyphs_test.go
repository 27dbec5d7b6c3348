package report

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/image/font/gofont/goregular"
	"gonum.org/v1/plot/vg"
)

// withFonts runs a test with the fonts of the given folders as those of the machine.
func withFonts(t *testing.T, folders ...string) {
	t.Helper()
	before := fontFolders
	forget := func() {
		systemFonts.Lock()
		defer systemFonts.Unlock()
		systemFonts.read, systemFonts.fonts, systemFonts.known = false, nil, nil
	}
	fontFolders = func() []string { return folders }
	forget()
	t.Cleanup(func() {
		fontFolders = before
		forget()
	})
}

func pixelsOf(t *testing.T, c *Chart, width int) image.Image {
	t.Helper()
	data, err := c.PNG(width)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// dark counts pixels with ink.
func dark(img image.Image) (n int) {
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if r, _, _, _ := img.At(x, y).RGBA(); r < 0x8000 {
				n++
			}
		}
	}
	return n
}

// TestNoLetterVanishes: letters that no font has are boxes with their code points, in
// pictures and in documents, and different letters look different.
func TestNoLetterVanishes(t *testing.T) {
	withFonts(t)
	blank := dark(pixelsOf(t, &Chart{Title: " "}, 800))
	seen := map[string]string{}
	for _, text := range []string{"日", "本", "العربية", "😀", "🎉", "हिन्दी", "ไทย", "한국어", "שלום", "\U0001F468\u200D\U0001F469\u200D\U0001F467", "\U00020000", "\uE000"} {
		data, err := (&Chart{Title: text}).PNG(800)
		if err != nil {
			t.Fatal(err)
		}
		if got := dark(pixelsOf(t, &Chart{Title: text}, 800)); got < blank+60 {
			t.Errorf("%q leaves %d pixels of ink", text, got-blank)
		}
		if other, ok := seen[string(data)]; ok {
			t.Errorf("%q looks like %q", text, other)
		}
		seen[string(data)] = text
		with, err := (&Chart{Title: "a" + text}).PDF()
		if err != nil {
			t.Fatal(err)
		}
		without, err := (&Chart{Title: "a"}).PDF()
		if err != nil || len(with) < len(without)+100 {
			t.Errorf("%q adds %d bytes to a document (%v)", text, len(with)-len(without), err)
		}
	}
	// SVG keeps the text itself: the reader's machine has fonts.
	if _, text := elements(t, svgOf(t, &Chart{Title: "日本語 العربية 😀"})); !strings.Contains(text, "日本語 العربية 😀") {
		t.Errorf("SVG holds %q", text)
	}
}

// TestFontsOfTheMachine are searched for letters that the chart's own font lacks; files
// that are no fonts do no harm.
func TestFontsOfTheMachine(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string][]byte{"sub/go.ttf": goregular.TTF, "broken.ttf": []byte("nothing"), "empty.otf": nil, "text.txt": goregular.TTF} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	withFonts(t, dir, filepath.Join(dir, "none"))
	if f, _ := systemGlyph('A'); f == nil || len(systemFonts.fonts) != 1 {
		t.Errorf("%d fonts, letter found: %v", len(systemFonts.fonts), f != nil)
	}
	if f, _ := systemGlyph('日'); f != nil {
		t.Error("a Latin font has a Chinese letter")
	}
}

// TestArabicJoins: forms by the Unicode standard, chapter 9.2: a word is drawn from right
// to left, each letter in the form of its place.
func TestArabicJoins(t *testing.T) {
	for text, want := range map[string][]rune{
		"بيت":      {0xFE96, 0xFEF4, 0xFE91}, // final, medial, initial
		"دار":      {0xFEAD, 0xFE8D, 0xFEA9}, // none of them joins the next
		"لا":       {0xFEFB},                 // a ligature
		"سلام":     {0xFEE1, 0xFEFC, 0xFEB3},
		"שלום":     []rune("םולש"),
		"אב גד":    []rune("דג בא"),
		"日本":       []rune("日本"),
		"ב\u05B8ג": {'ג', 'ב', 0x05B8}, // the mark stays behind its letter
	} {
		var got []rune
		for _, l := range visualOrder(text) {
			got = append(got, l.form)
		}
		if string(got) != string(want) {
			t.Errorf("%q is drawn as %U, want %U", text, got, want)
		}
	}
}

// TestTangleStaysATangle: a line that turns back and has a million points is thinned
// without becoming empty.
func TestTangleStaysATangle(t *testing.T) {
	var line []vg.Point
	state := uint32(1)
	next := func() vg.Length { state = state*1664525 + 1013904223; return vg.Length(state>>8) / (1 << 24) * 600 }
	for range 100_000 {
		line = append(line, vg.Point{X: next(), Y: next()})
	}
	line[5000].X = 900
	kept := thinLine(line, 3000)
	right := vg.Length(0)
	for _, p := range kept {
		right = max(right, p.X)
	}
	if len(kept) < 1500 || len(kept) > 3010 || right != 900 || kept[0] != line[0] || kept[len(kept)-1] != line[len(line)-1] {
		t.Errorf("%d points up to %v", len(kept), right)
	}
}

// TestStrokesCoverOnce: a line that crosses itself is no darker there, and dashes leave
// gaps.
func TestStrokesCoverOnce(t *testing.T) {
	c := &rasterCanvas{sheet: newSheet(100), scale: 1, image: image.NewRGBA(image.Rect(0, 0, 100, 100))}
	c.SetColor(ink.faded(128))
	c.SetLineWidth(6)
	var path vg.Path
	path.Move(vg.Point{X: 10, Y: 10})
	path.Line(vg.Point{X: 90, Y: 90})
	path.Line(vg.Point{X: 10, Y: 90})
	path.Line(vg.Point{X: 90, Y: 10})
	c.Stroke(path)
	if crossing, side := c.image.RGBAAt(50, 50), c.image.RGBAAt(30, 69); crossing != side || crossing.A < 120 {
		t.Errorf("%v where the line crosses itself, %v beside", crossing, side)
	}
	if corner := c.image.RGBAAt(91, 8); corner.A < 100 {
		t.Errorf("the corner is open: %v", corner)
	}
	lengths := 0
	for _, d := range dashed([]vg.Point{{X: 0}, {X: 5}, {X: 20}}, []vg.Length{4, 3}) {
		lengths += int(d[len(d)-1].X - d[0].X)
	}
	if lengths != 12 { // 0-4, 7-11, 14-18
		t.Errorf("dashes are %d long together", lengths)
	}
}
