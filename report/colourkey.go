package report

import (
	"image"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A colourKey is the bar beside a heat map that explains its colours.
type colourKey struct {
	colours  Colormap
	min, max float64
	label    string
}

const keyBar vg.Length = 12

func (k *colourKey) ticks(height vg.Length) ([]tick, scale) {
	s := scale{min: k.min, max: k.max}
	return s.ticks(Axis{}, max(int(height/44), 3)), s
}

// width is the room the bar needs at the right of the panel.
func (k *colourKey) width() vg.Length {
	list, _ := k.ticks(300)
	widest := vg.Length(0)
	for _, t := range list {
		widest = max(widest, tickText.width(t.label))
	}
	return 14 + keyBar + 6 + widest
}

func (k *colourKey) draw(f *frame) {
	left := f.Max.X + 14
	const steps = 128
	img := image.NewRGBA(image.Rect(0, 0, 1, steps))
	for i := range steps {
		img.Set(0, steps-1-i, k.colours.onPaper((float64(i)+0.5)/steps))
	}
	f.DrawImage(vg.Rectangle{Min: vg.Point{X: left, Y: f.Min.Y}, Max: vg.Point{X: left + keyBar, Y: f.Max.Y}}, img)
	l := tickText
	l.y = draw.YCenter
	list, s := k.ticks(f.height())
	for _, t := range list {
		if u := s.unit(t.at); u >= -1e-9 && u <= 1+1e-9 {
			l.write(f.Canvas, vg.Point{X: left + keyBar + 6, Y: f.Y(u)}, t.label)
		}
	}
	if text := s.labelled(Axis{Label: k.label}); text != "" {
		l := lettering{size: 10.5, colour: muted, x: draw.XRight, y: draw.YBottom}
		l.write(f.Canvas, vg.Point{X: left + keyBar, Y: f.Max.Y + 6}, text)
	}
}
