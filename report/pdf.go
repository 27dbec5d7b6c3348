package report

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"math"
	"strconv"
	"time"

	"codeberg.org/go-pdf/fpdf"
	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// PDF renders the chart as a one-page document of the chart's own size with its
// fonts inside. It carries no date, so the same chart gives the same bytes.
func (c *Chart) PDF() ([]byte, error) {
	l := c.lay(0, true)
	doc := fpdf.NewCustom(&fpdf.InitType{
		UnitStr: "pt", Size: fpdf.SizeType{Wd: float64(l.width), Ht: float64(l.height)},
	})
	epoch := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	doc.SetCreationDate(epoch)
	doc.SetModificationDate(epoch)
	doc.SetCatalogSort(true)
	doc.SetAutoPageBreak(false, 0)
	doc.SetTitle(clean(c.Title), true)
	doc.SetCreator(maker, false)
	doc.AddPage()
	p := &pdfCanvas{sheet: newSheet(l.height), doc: doc, known: map[string]bool{}}
	l.draw(draw.NewCanvas(p, l.width, l.height))
	var out bytes.Buffer
	if err := doc.Output(&out); err != nil {
		return nil, fmt.Errorf("report: writing PDF: %w", err)
	}
	return out.Bytes(), nil
}

// pdfCanvas draws into a PDF document. Unlike gonum's, it writes any character of
// the font and keeps transparent colours true.
type pdfCanvas struct {
	sheet
	doc      *fpdf.Fpdf
	known    map[string]bool // fonts already in the document
	pictures int
}

func (p *pdfCanvas) colour() {
	n := plain(p.top().colour)
	p.doc.SetDrawColor(int(n.R), int(n.G), int(n.B))
	p.doc.SetFillColor(int(n.R), int(n.G), int(n.B))
	p.doc.SetTextColor(int(n.R), int(n.G), int(n.B))
	p.doc.SetAlpha(float64(n.A)/255, "Normal")
}

func (p *pdfCanvas) Stroke(path vg.Path) {
	t := p.top()
	if t.width <= 0 {
		return
	}
	p.colour()
	p.doc.SetLineWidth(float64(t.width))
	dashes := make([]float64, len(t.dashes))
	for i, d := range t.dashes {
		dashes[i] = float64(d)
	}
	p.doc.SetDashPattern(dashes, 0)
	p.doc.SetLineJoinStyle("round")
	p.trace(path, "D")
}

func (p *pdfCanvas) Fill(path vg.Path) {
	p.colour()
	p.trace(path, "F")
}

func (p *pdfCanvas) trace(path vg.Path, style string) {
	if len(path) == 0 {
		return
	}
	penX, penY := 0.0, 0.0
	for _, c := range path {
		x, y := p.place(c.Pos)
		switch c.Type {
		case vg.MoveComp:
			p.doc.MoveTo(x, y)
		case vg.LineComp:
			p.doc.LineTo(x, y)
		case vg.ArcComp: // as a many-sided polygon
			const sides = 24
			for i := 1; i <= sides; i++ {
				sin, cos := math.Sincos(c.Start + c.Angle*float64(i)/sides)
				p.doc.LineTo(p.place(vg.Point{X: c.Pos.X + c.Radius*vg.Length(cos), Y: c.Pos.Y + c.Radius*vg.Length(sin)}))
			}
		case vg.CurveComp:
			ax, ay := p.place(c.Control[0])
			bx, by := p.place(c.Control[len(c.Control)-1])
			if len(c.Control) == 1 { // the cubic curve of the same shape
				ax, ay = penX+(ax-penX)*2/3, penY+(ay-penY)*2/3
				bx, by = x+(bx-x)*2/3, y+(by-y)*2/3
			}
			p.doc.CurveBezierCubicTo(ax, ay, bx, by, x, y)
		case vg.CloseComp:
			p.doc.ClosePath()
		}
		penX, penY = x, y
	}
	p.doc.DrawPath(style)
}

func (p *pdfCanvas) FillString(face font.Face, at vg.Point, text string) {
	for _, part := range pieces(face, clean(text)) {
		if part.absent { // as shapes: the document holds the chart's own font only
			p.Fill(part.outline(at))
		} else {
			p.write(part.face, vg.Point{X: at.X, Y: at.Y + part.lift}, part.text)
		}
		at.X += part.width
	}
}

// write writes a text in the chart's own font.
func (p *pdfCanvas) write(face font.Face, at vg.Point, text string) {
	t := p.top()
	style := ""
	if face.Font.Weight >= xfont.WeightSemiBold {
		style = "B"
	}
	if !p.known[style] {
		var source bytes.Buffer
		if _, err := face.Face.WriteSourceTo(nil, &source); err != nil {
			p.doc.SetError(err)
			return
		}
		p.doc.AddUTF8FontFromBytes("sans", style, source.Bytes())
		p.known[style] = true
	}
	p.colour()
	p.doc.SetFont("sans", style, float64(face.Font.Size)*t.scale)
	x, y := p.place(at)
	if t.turn != 0 {
		p.doc.TransformBegin()
		p.doc.TransformRotate(t.turn*180/math.Pi, x, y)
		defer p.doc.TransformEnd()
	}
	p.doc.Text(x, y, text)
}

func (p *pdfCanvas) DrawImage(where vg.Rectangle, img image.Image) {
	// Viewers blur enlarged pictures; give them enough pixels. The library orders
	// pictures by their width in pixels and equal ones at random: each gets a width
	// of its own, so that the same chart gives the same bytes.
	size := where.Size()
	p.pictures++
	var data bytes.Buffer
	if err := png.Encode(&data, enlarged(img, int(size.X*3)+p.pictures, int(size.Y*3))); err != nil {
		p.doc.SetError(err)
		return
	}
	name := "picture" + strconv.Itoa(p.pictures)
	options := fpdf.ImageOptions{ImageType: "png"}
	p.doc.SetAlpha(1, "Normal")
	p.doc.RegisterImageOptionsReader(name, options, &data)
	x, y := p.place(vg.Point{X: where.Min.X, Y: where.Max.Y})
	p.doc.ImageOptions(name, x, y, float64(size.X), float64(size.Y), false, options, 0, "")
}
