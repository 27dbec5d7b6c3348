package report

import (
	"image/color"
	"math"
	"sync"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A tone is a colour of the theme. In SVG it becomes the CSS variable of its
// name with the light value as fallback; pages redefine the variable for dark
// mode. The name is empty for colours that carry data (heat maps).
type tone struct {
	name    string
	r, g, b uint8
	alpha   uint8 // 255 = opaque
}

// RGBA makes a tone a color.Color, so that every canvas understands it.
func (t tone) RGBA() (r, g, b, a uint32) {
	return color.NRGBA{R: t.r, G: t.g, B: t.b, A: t.alpha}.RGBA()
}

// faded is the same tone, partly transparent.
func (t tone) faded(alpha uint8) tone {
	t.alpha = alpha
	return t
}

// The neutral tones. Text tones keep a contrast of at least 4.5 on paper.
var (
	paper = tone{"paper", 0xFF, 0xFF, 0xFF, 255}
	ink   = tone{"ink", 0x1C, 0x21, 0x26, 255}
	muted = tone{"muted", 0x57, 0x60, 0x6A, 255}
	grid  = tone{"grid", 0xE6, 0xE9, 0xED, 255}
	rule  = tone{"rule", 0xA9, 0xB1, 0xBB, 255}
)

// palette holds the series colours: those of Okabe and Ito, which stay apart for
// colour-blind readers, without the yellow and the black that vanish on paper or
// at night.
var palette = []tone{
	{"s1", 0x00, 0x72, 0xB2, 255}, // blue
	{"s2", 0xD5, 0x5E, 0x00, 255}, // vermillion
	{"s3", 0x00, 0x93, 0x6B, 255}, // green
	{"s4", 0xBF, 0x62, 0x9A, 255}, // purple
	{"s5", 0xE0, 0x97, 0x00, 255}, // orange
	{"s6", 0x4A, 0xAA, 0xE0, 255}, // sky
	{"s7", 0x6B, 0x72, 0x80, 255}, // grey
	{"s8", 0x80, 0x4E, 0x18, 255}, // brown
}

// onTop is the colour of text on a bar of this series: black or white, which a page
// turns round where its dark colours ask for it.
func (t tone) onTop() tone {
	over := func(v, paper uint8) uint8 { return uint8((int(v)*barAlpha + int(paper)*(255-barAlpha)) / 255) }
	text := tone{"", over(t.r, paper.r), over(t.g, paper.g), over(t.b, paper.b), 255}.readable()
	if t.name != "" {
		text.name = "on-" + t.name
	}
	return text
}

// luminance is the relative luminance of WCAG 2.
func (t tone) luminance() float64 {
	linear := func(v uint8) float64 {
		c := float64(v) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(t.r) + 0.7152*linear(t.g) + 0.0722*linear(t.b)
}

// contrast is the contrast ratio of WCAG 2; text needs 4.5.
func contrast(a, b tone) float64 {
	x, y := a.luminance(), b.luminance()
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

// seriesTone is the colour of the i-th series (from 0); the palette repeats.
func seriesTone(i int) tone {
	n := len(palette)
	return palette[((i%n)+n)%n]
}

// Sizes in points; one point is one CSS pixel at the nominal width.
const (
	titleSize   vg.Length = 17
	headingSize vg.Length = 13
	labelSize   vg.Length = 12
	tickSize    vg.Length = 11.5

	lineWidth vg.Length = 1.9
	hairline  vg.Length = 1
	dotRadius vg.Length = 3
)

// fonts loads the built-in Liberation fonts at first use: their parsing does not
// belong to the start of a program that draws nothing.
var fonts = sync.OnceValue(func() *font.Cache { return font.NewCache(liberation.Collection()) })

// A lettering says how a text is set.
type lettering struct {
	size   vg.Length
	bold   bool
	colour tone
	x      draw.XAlignment
	y      draw.YAlignment
	turn   float64 // radians, counter-clockwise
}

func (l lettering) face() font.Face {
	f := font.Font{Typeface: "Liberation", Variant: "Sans"}
	if l.bold {
		f.Weight = xfont.WeightBold
	}
	return fonts().Lookup(f, l.size)
}

// width is the length of the text in this lettering.
func (l lettering) width(s string) vg.Length {
	if s == "" {
		return 0
	}
	return textWidth(l.face(), s)
}

// height is the distance between two lines of text.
func (l lettering) height() vg.Length { return l.size * 1.3 }

// write sets s at p. The vertical alignment is by the height of capitals, which
// centres digits better than the full line does.
func (l lettering) write(c draw.Canvas, p vg.Point, s string) {
	if s == "" {
		return
	}
	const capital = 0.72 // height of capitals by font size
	baseline := vg.Length(0)
	switch l.y {
	case draw.YTop:
		baseline = -capital * l.size
	case draw.YCenter:
		baseline = -capital / 2 * l.size
	}
	face := l.face()
	at := vg.Point{X: vg.Length(l.x) * textWidth(face, s), Y: baseline}
	c.SetColor(l.colour)
	if l.turn == 0 {
		c.FillString(face, p.Add(at), s)
		return
	}
	c.Push()
	c.Translate(p)
	c.Rotate(l.turn)
	c.FillString(face, at, s)
	c.Pop()
}
