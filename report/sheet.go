package report

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
)

// A sheet is the state that vector outputs share: pen and transform. The
// transform is a turn, a scaling and a shift, which is all that drawing here uses;
// the outputs have their origin at the top left, drawing has it at the bottom
// left.
type sheet struct {
	height float64
	state  []sheetState
}

type sheetState struct {
	colour color.Color
	width  vg.Length
	dashes []vg.Length
	dx, dy float64
	turn   float64
	scale  float64
}

func newSheet(height vg.Length) sheet {
	return sheet{height: float64(height), state: []sheetState{{colour: ink, scale: 1}}}
}

func (s *sheet) top() *sheetState                           { return &s.state[len(s.state)-1] }
func (s *sheet) SetLineWidth(w vg.Length)                   { s.top().width = w }
func (s *sheet) SetLineDash(d []vg.Length, phase vg.Length) { s.top().dashes = d }
func (s *sheet) SetColor(c color.Color)                     { s.top().colour = c }
func (s *sheet) Rotate(radians float64)                     { s.top().turn += radians }
func (s *sheet) Scale(x, y float64)                         { s.top().scale *= x }
func (s *sheet) Push()                                      { s.state = append(s.state, *s.top()) }
func (s *sheet) Pop()                                       { s.state = s.state[:len(s.state)-1] }

func (s *sheet) Translate(p vg.Point) {
	t := s.top()
	sin, cos := math.Sincos(t.turn)
	x, y := float64(p.X)*t.scale, float64(p.Y)*t.scale
	t.dx += x*cos - y*sin
	t.dy += x*sin + y*cos
}

// place is a point in output coordinates, where y points down.
func (s *sheet) place(p vg.Point) (x, y float64) {
	t := s.top()
	sin, cos := math.Sincos(t.turn)
	a, b := float64(p.X)*t.scale, float64(p.Y)*t.scale
	return t.dx + a*cos - b*sin, s.height - (t.dy + a*sin + b*cos)
}

// plain is the colour of a tone or of any other colour, not premultiplied.
func plain(c color.Color) color.NRGBA {
	if t, ok := c.(tone); ok {
		return color.NRGBA{R: t.r, G: t.g, B: t.b, A: t.alpha}
	}
	n, _ := color.NRGBAModel.Convert(c).(color.NRGBA)
	return n
}
