package report

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"math"
	"strconv"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// SVG renders the chart as a stand-alone SVG document. It may also be put into an
// HTML page as it is.
func (c *Chart) SVG() ([]byte, error) { return c.lay(0, true).svg() }

// sansSerif names fonts of the same widths as the built-in one, so that labels
// stay where the layout puts them.
const sansSerif = `'Liberation Sans',Arimo,Helvetica,Arial,sans-serif`

func (l layout) svg() ([]byte, error) {
	s := &svgCanvas{sheet: newSheet(l.height)}
	fmt.Fprintf(&s.out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" width="%s" height="%s" role="img" aria-label="%s" style="font-family:%s;stroke-linejoin:round;max-width:100%%;height:auto">`,
		decimal(float64(l.width)), decimal(float64(l.height)), decimal(float64(l.width)), decimal(float64(l.height)),
		html.EscapeString(l.chart.description()), sansSerif)
	s.out.WriteString(markSVG + "\n")
	if l.framed && l.chart.Title != "" {
		fmt.Fprintf(&s.out, "<title>%s</title>\n", html.EscapeString(clean(l.chart.Title)))
	}
	l.draw(draw.NewCanvas(s, l.width, l.height))
	s.out.WriteString("</svg>\n")
	return s.out.Bytes(), s.err
}

// svgCanvas writes drawing calls as SVG. Unlike gonum's, it knows the theme (CSS
// variables), packs thousands of dots into one short path, and labels pictures
// with their true type.
type svgCanvas struct {
	sheet
	out bytes.Buffer
	err error
}

func (s *svgCanvas) Stroke(path vg.Path) {
	t := s.top()
	if t.width <= 0 || len(path) == 0 {
		return
	}
	fmt.Fprintf(&s.out, `<path d="%s" style="fill:none;%s;stroke-width:%s`, s.data(path), paint("stroke", t.colour), decimal(float64(t.width)))
	for i, d := range t.dashes {
		if i == 0 {
			s.out.WriteString(";stroke-dasharray:")
		} else {
			s.out.WriteByte(',')
		}
		s.out.WriteString(decimal(float64(d)))
	}
	s.out.WriteString("\"/>\n")
}

func (s *svgCanvas) Fill(path vg.Path) {
	if len(path) == 0 {
		return
	}
	if radius, ok := allDots(path); ok {
		fmt.Fprintf(&s.out, `<path d="%s" style="fill:none;stroke-linecap:round;%s;stroke-width:%s"/>`+"\n",
			s.dots(path), paint("stroke", s.top().colour), decimal(2*radius*s.top().scale))
		return
	}
	fmt.Fprintf(&s.out, `<path d="%s" style="%s"/>`+"\n", s.data(path), paint("fill", s.top().colour))
}

// allDots reports whether the path consists of full circles of one radius. Such a
// path is written as zero-length strokes with round ends.
func allDots(path vg.Path) (radius float64, ok bool) {
	if len(path)%3 != 0 {
		return 0, false
	}
	for i, c := range path {
		switch i % 3 {
		case 0:
			ok = c.Type == vg.MoveComp
		case 1:
			ok = c.Type == vg.ArcComp && math.Abs(c.Angle) >= 2*math.Pi && (i == 1 || float64(c.Radius) == radius)
			radius = float64(c.Radius)
		case 2:
			ok = c.Type == vg.CloseComp
		}
		if !ok {
			return 0, false
		}
	}
	return radius, true
}

func (s *svgCanvas) dots(path vg.Path) []byte {
	var d []byte
	for i := 1; i < len(path); i += 3 {
		d = append(s.pair(append(d, 'M'), path[i].Pos), "h0"...)
	}
	return d
}

// data writes a path. Lines are relative, which is shorter.
func (s *svgCanvas) data(path vg.Path) []byte {
	var d []byte
	var x, y float64           // where the pen is, as written
	var startX, startY float64 // where it returns to when the path closes
	line := func(p vg.Point) {
		u, v := rounded(s.place(p))
		d = append(append(d, 'l'), decimal(u-x)...)
		d = append(append(d, ' '), decimal(v-y)...)
		x, y = u, v
	}
	for _, c := range path {
		switch c.Type {
		case vg.MoveComp:
			d = s.pair(append(d, 'M'), c.Pos)
			x, y = rounded(s.place(c.Pos))
			startX, startY = x, y
		case vg.LineComp:
			line(c.Pos)
		case vg.ArcComp: // as a many-sided polygon
			const sides = 48
			for i := range sides + 1 {
				sin, cos := math.Sincos(c.Start + c.Angle*float64(i)/sides)
				line(vg.Point{X: c.Pos.X + c.Radius*vg.Length(cos), Y: c.Pos.Y + c.Radius*vg.Length(sin)})
			}
		case vg.CurveComp:
			d = append(d, 'Q')
			if len(c.Control) == 2 {
				d[len(d)-1] = 'C'
			}
			for _, control := range c.Control {
				d = append(s.pair(d, control), ' ')
			}
			d = s.pair(d, c.Pos)
			x, y = rounded(s.place(c.Pos))
		case vg.CloseComp:
			d = append(d, 'Z')
			x, y = startX, startY
		}
	}
	return d
}

func (s *svgCanvas) pair(d []byte, p vg.Point) []byte {
	x, y := s.place(p)
	d = append(d, decimal(x)...)
	d = append(d, ' ')
	return append(d, decimal(y)...)
}

func (s *svgCanvas) FillString(face font.Face, at vg.Point, text string) {
	t := s.top()
	x, y := s.place(at)
	fmt.Fprintf(&s.out, `<text x="%s" y="%s"`, decimal(x), decimal(y))
	if t.turn != 0 {
		fmt.Fprintf(&s.out, ` transform="rotate(%s %s %s)"`, decimal(-t.turn*180/math.Pi), decimal(x), decimal(y))
	}
	fmt.Fprintf(&s.out, ` style="font-size:%spx;%s`, decimal(float64(face.Font.Size)*t.scale), paint("fill", t.colour))
	if face.Font.Weight >= xfont.WeightSemiBold {
		s.out.WriteString(";font-weight:600")
	}
	fmt.Fprintf(&s.out, "\">%s</text>\n", html.EscapeString(clean(text)))
}

func (s *svgCanvas) DrawImage(where vg.Rectangle, img image.Image) {
	var data bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&data, img); err != nil && s.err == nil {
		s.err = fmt.Errorf("report: picture: %w", err)
	}
	x, y := s.place(vg.Point{X: where.Min.X, Y: where.Max.Y})
	size := where.Size()
	fmt.Fprintf(&s.out, `<image x="%s" y="%s" width="%s" height="%s" preserveAspectRatio="none" style="image-rendering:pixelated" href="data:image/png;base64,%s"/>`+"\n",
		decimal(x), decimal(y), decimal(float64(size.X)), decimal(float64(size.Y)), base64.StdEncoding.EncodeToString(data.Bytes()))
}

// paint writes a fill or stroke; tones of the theme become CSS variables.
func paint(property string, c color.Color) string {
	n := plain(c)
	value := fmt.Sprintf("#%02X%02X%02X", n.R, n.G, n.B)
	if t, ok := c.(tone); ok && t.name != "" {
		value = "var(--" + t.name + "," + value + ")"
	}
	value = property + ":" + value
	if n.A != 255 {
		value += ";" + property + "-opacity:" + decimal(float64(n.A)/255)
	}
	return value
}

// rounded is a place as decimal writes it.
func rounded(x, y float64) (float64, float64) {
	return math.Round(x*100) / 100, math.Round(y*100) / 100
}

// decimal writes a coordinate with at most two decimals.
func decimal(v float64) string {
	v = math.Round(v*100) / 100
	if v == 0 {
		return "0" // no minus zero
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}
