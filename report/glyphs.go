package report

import (
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/image/font/sfnt"
	xfixed "golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// A piece is a part of a text that is set in one way: in the font of the chart, as
// superscripts, or letter by letter because the font of the chart does not have them.
type piece struct {
	face   font.Face
	text   string
	lift   vg.Length // of superscripts above the line
	width  vg.Length
	absent bool // not in the font of the chart
}

// raised are the superscripts and what stands for them. The fonts of pictures lack
// several of them (the minus and the zero among them), and a missing minus would turn
// 10⁻⁴ into 10⁴.
var raised = map[rune]rune{'⁻': '−', '⁰': '0', '¹': '1', '²': '2', '³': '3', '⁴': '4', '⁵': '5', '⁶': '6', '⁷': '7', '⁸': '8', '⁹': '9'}

// Superscripts by the height of ordinary letters.
const raisedSize, raisedLift = 0.7, 0.36

// pieces cuts a text. Widths do not depend on the fonts of the machine, so that every
// machine makes the same layout.
func pieces(face font.Face, text string) []piece {
	if ascii(text) {
		return []piece{{face: face, text: text, width: face.Width(text)}}
	}
	var list []piece
	var buffer sfnt.Buffer
	add := func(p piece) {
		last := len(list) - 1
		if last >= 0 && list[last].lift == p.lift && list[last].absent == p.absent {
			list[last].text += p.text
			list[last].width += p.width
			return
		}
		list = append(list, p)
	}
	state := -1
	for text != "" {
		var cluster string
		var cells int
		cluster, text, cells, state = uniseg.FirstGraphemeClusterInString(text, state)
		first, single := []rune(cluster)[0], true
		for _, r := range cluster {
			if i, err := face.Face.GlyphIndex(&buffer, r); err != nil || i == 0 || rightToLeft(r) {
				single = false
			}
		}
		plain, up := raised[first]
		switch {
		case up && len([]rune(cluster)) == 1:
			small := face
			small.Font.Size *= raisedSize
			add(piece{face: small, text: string(plain), lift: raisedLift * face.Font.Size})
		case single:
			add(piece{face: face, text: cluster})
		default:
			em := [...]vg.Length{0, 0.62, 1}[min(max(cells, 0), 2)]
			add(piece{face: face, text: cluster, absent: true, width: em * face.Font.Size})
		}
	}
	for i, p := range list {
		if !p.absent {
			list[i].width = p.face.Width(p.text)
		}
	}
	return sentences(list)
}

// sentences joins words that are written from right to left with the spaces between them,
// so that they can be ordered together.
func sentences(list []piece) []piece {
	for i := 1; i+1 < len(list); i++ {
		before, space, after := list[i-1], list[i], list[i+1]
		last, _ := utf8.DecodeLastRuneInString(before.text)
		first, _ := utf8.DecodeRuneInString(after.text)
		if before.absent && after.absent && space.text == " " && rightToLeft(last) && rightToLeft(first) {
			before.text += space.text + after.text
			before.width += space.width + after.width
			list = slices.Replace(list, i-1, i+2, before)
			i--
		}
	}
	return list
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// textWidth is the length of a text in the font of the chart.
func textWidth(face font.Face, text string) vg.Length {
	width := vg.Length(0)
	for _, p := range pieces(face, text) {
		width += p.width
	}
	return width
}

// outline is the shape of the piece, its line starting at the given point.
func (p piece) outline(at vg.Point) vg.Path {
	at.Y += p.lift
	var path vg.Path
	if !p.absent {
		setLetters(&path, p.face.Face, p.face.Font.Size, at, []rune(p.text))
		return path
	}
	letters := visualOrder(p.text)
	// The letters of other fonts are as wide as they are; together they fill the place.
	var natural vg.Length
	shown, cursive := 0, false
	for _, l := range letters {
		w := substitute(nil, p.face, at, l, 1)
		natural += w
		if w > 0 {
			shown++
		}
		cursive = cursive || rightToLeft(l.typed)
	}
	if shown == 0 {
		return path
	}
	squeeze, gap := vg.Length(1), (p.width-natural)/vg.Length(shown)
	if gap < 0 {
		squeeze, gap = p.width/natural, 0
	}
	if cursive { // no gaps between letters that are joined
		at.X += gap * vg.Length(shown) / 2
		gap = 0
	}
	at.X += gap / 2
	for _, l := range letters {
		if w := substitute(&path, p.face, at, l, squeeze); w > 0 {
			at.X += w + gap
		}
	}
	return path
}

// substitute draws a letter that the font of the chart lacks, from a font of the machine
// or as a box with its code point, and returns its width. A nil path is measured only.
func substitute(path *vg.Path, face font.Face, at vg.Point, l letter, squeeze vg.Length) vg.Length {
	size := face.Font.Size
	var buffer sfnt.Buffer
	var source *sfnt.Font
	var index sfnt.GlyphIndex
	for _, r := range []rune{l.form, l.typed} {
		if i, err := face.Face.GlyphIndex(&buffer, r); err == nil && i != 0 {
			source, index = face.Face, i
		} else {
			source, index = systemGlyph(r)
		}
		if source != nil {
			break
		}
	}
	invisible := unicode.In(l.typed, unicode.Mn, unicode.Me, unicode.Cf, unicode.Variation_Selector)
	switch {
	case source == nil && invisible:
		return 0
	case source == nil:
		return squeeze * codeBox(path, face, at, l.typed, squeeze)
	case invisible: // a mark over the letter before
		setLetter(path, source, size, at, index, squeeze)
		return 0
	}
	return squeeze * setLetter(path, source, size, at, index, squeeze)
}

// codeBox draws a box with the code point of a letter, as browsers do where no font has
// it: the text can be looked up, and never vanishes.
func codeBox(path *vg.Path, face font.Face, at vg.Point, r rune, squeeze vg.Length) vg.Length {
	size := face.Font.Size
	code := fmt.Sprintf("%04X", r)
	if len(code) > 4 {
		code = fmt.Sprintf("%06X", r)
	}
	half := len(code) / 2
	small := 0.42 * size
	digit := 0.556 * small // figures and letters of the code are about this wide
	inner := vg.Length(half)*digit*1.06 + 0.05*size
	width := inner + 0.16*size
	if path == nil {
		return width
	}
	x := func(v vg.Length) vg.Length { return at.X + v*squeeze }
	frame := func(inset vg.Length, reversed bool) {
		a := vg.Point{X: x(0.05*size + inset), Y: at.Y - 0.12*size + inset}
		b := vg.Point{X: x(width - 0.05*size - inset), Y: at.Y + 0.78*size - inset}
		corners := box(a, b)
		if reversed {
			corners[1], corners[3] = corners[3], corners[1]
		}
		for i, p := range corners {
			if i == 0 {
				path.Move(p)
			} else {
				path.Line(p)
			}
		}
		path.Close()
	}
	frame(0, false)
	frame(0.05*size, true)
	var buffer sfnt.Buffer
	for k, c := range code {
		i, err := face.Face.GlyphIndex(&buffer, c)
		if err != nil {
			continue
		}
		y := at.Y + 0.39*size
		if k >= half {
			y = at.Y - 0.02*size
		}
		left := (width-vg.Length(half)*digit*1.06)/2 + vg.Length(k%half)*digit*1.06
		setLetter(path, face.Face, small, vg.Point{X: x(left), Y: y}, i, squeeze)
	}
	return width
}

// setLetters draws letters of one font, kerned.
func setLetters(path *vg.Path, f *sfnt.Font, size vg.Length, at vg.Point, letters []rune) {
	var buffer sfnt.Buffer
	unit := xfixed.Int26_6(f.UnitsPerEm())
	var before sfnt.GlyphIndex
	for k, r := range letters {
		i, err := f.GlyphIndex(&buffer, r)
		if err != nil {
			continue
		}
		if k > 0 {
			if kern, err := f.Kern(&buffer, before, i, unit, 0); err == nil {
				at.X += size * vg.Length(kern) / vg.Length(unit)
			}
		}
		at.X += setLetter(path, f, size, at, i, 1)
		before = i
	}
}

// setLetter appends the outline of a glyph and returns how far the next one is away,
// both before squeezing.
func setLetter(path *vg.Path, f *sfnt.Font, size vg.Length, at vg.Point, index sfnt.GlyphIndex, squeeze vg.Length) vg.Length {
	var buffer sfnt.Buffer
	unit := xfixed.Int26_6(f.UnitsPerEm()) // then outlines are in units of the font
	scale := size / vg.Length(unit)
	advance, err := f.GlyphAdvance(&buffer, index, unit, 0)
	if err != nil {
		advance = unit / 2
	}
	if path == nil {
		return vg.Length(advance) * scale
	}
	segments, err := f.LoadGlyph(&buffer, index, unit, nil)
	if err != nil {
		return vg.Length(advance) * scale
	}
	place := func(p xfixed.Point26_6) vg.Point {
		return vg.Point{X: at.X + vg.Length(p.X)*scale*squeeze, Y: at.Y - vg.Length(p.Y)*scale}
	}
	for k, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if k > 0 {
				path.Close()
			}
			path.Move(place(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			path.Line(place(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			path.QuadTo(place(s.Args[0]), place(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			path.CubeTo(place(s.Args[0]), place(s.Args[1]), place(s.Args[2]))
		}
	}
	if len(segments) > 0 {
		path.Close()
	}
	return vg.Length(advance) * scale
}
