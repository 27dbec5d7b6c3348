package report

import (
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// raised are the superscripts and what stands for them. The fonts of pictures lack
// several of them (the minus and the zero among them), and a missing minus would turn
// 10⁻⁴ into 10⁴.
var raised = map[rune]rune{'⁻': '−', '⁰': '0', '¹': '1', '²': '2', '³': '3', '⁴': '4', '⁵': '5', '⁶': '6', '⁷': '7', '⁸': '8', '⁹': '9'}

// spell writes a text piece by piece: superscripts as small raised letters, everything
// else as it is.
func spell(face font.Face, at vg.Point, text string, write func(face font.Face, at vg.Point, text string)) {
	const size, lift = 0.7, 0.36 // of the height of ordinary letters
	small := face
	small.Font.Size *= size
	var run []rune
	high := false
	flush := func() {
		if len(run) == 0 {
			return
		}
		f, p := face, at
		if high {
			f, p = small, vg.Point{X: at.X, Y: at.Y + lift*face.Font.Size}
		}
		write(f, p, string(run))
		at.X += f.Width(string(run))
		run = run[:0]
	}
	for _, r := range text {
		plain, up := raised[r]
		if up != high {
			flush()
			high = up
		}
		if up {
			r = plain
		}
		run = append(run, r)
	}
	flush()
}
