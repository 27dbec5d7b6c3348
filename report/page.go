package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"html/template"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
)

// A Page is one HTML file with everything inside: no network, light and dark by
// the reader's setting, readable on a phone.
type Page struct {
	Title    string
	Lead     string // what the reader should take away, below the title; prose as in Section.Text
	Facts    []Fact // a strip of figures below the lead
	Sections []Section
	Footer   string // prose
}

// A Fact is a figure worth seeing first: "rows", "200".
type Fact struct{ Name, Value string }

// A Section is a heading with text and blocks below it.
type Section struct {
	Heading string
	Text    string // paragraphs, lists, `code`, **strong**, *emphasis*, [links](https://...)
	Blocks  []Block
	// Still sections are shown where no script runs and on paper, in place of Linked pictures.
	Still bool
}

// A Block is a piece of a section: *Chart, *Table, Text, Code, Callout or Beside.
type Block interface{ block() (string, error) }

// Text is a block of prose, as in Section.Text.
type Text string

// Code is a block of text shown as it is: a command, its output.
type Code string

// A Callout is a sentence that must not be overlooked.
type Callout struct {
	Kind string // "good", "warn", "bad"; anything else is neutral
	Text string // prose
}

// Beside sets blocks side by side where there is room.
type Beside []Block

// Add appends a section and returns the page.
func (p *Page) Add(heading, text string, blocks ...Block) *Page {
	p.Sections = append(p.Sections, Section{Heading: heading, Text: text, Blocks: blocks})
	return p
}

var (
	//go:embed page.html
	pageSource string
	//go:embed page.css
	pageStyle string
	//go:embed page.js
	pageScript string
)

// longPage is the number of sections from which on a page has a table of
// contents.
const longPage = 4

// HTML renders the page.
func (p *Page) HTML() ([]byte, error) {
	type section struct {
		ID, Heading string
		Still       bool
		Body        template.HTML
	}
	style, scripts, hashes := pageStyle, []template.JS{template.JS(pageScript)}, inlineHash(pageScript)
	if p.linked() {
		style += linkedStyle
		scripts, hashes = append(scripts, template.JS(linkedScript)), hashes+" "+inlineHash(linkedScript)
	}
	data := struct {
		Title    string
		Lead     template.HTML
		Facts    []Fact
		Contents bool
		Sections []section
		Footer   template.HTML
		Style    template.CSS
		Scripts  []template.JS
		Hashes   string
	}{
		Title: clean(p.Title), Lead: template.HTML(prose(p.Lead)), Footer: template.HTML(prose(p.Footer)),
		Style: template.CSS(style), Scripts: scripts, Hashes: hashes, Contents: len(p.Sections) >= longPage,
	}
	for _, f := range p.Facts {
		data.Facts = append(data.Facts, Fact{clean(f.Name), clean(f.Value)})
	}
	used := map[string]bool{}
	for i, s := range p.Sections {
		var body strings.Builder
		body.WriteString(prose(s.Text))
		for _, b := range s.Blocks {
			rendered, err := b.block()
			if err != nil {
				return nil, fmt.Errorf("report: section %q: %w", s.Heading, err)
			}
			body.WriteString(rendered)
		}
		id := anchor(s.Heading)
		if id == "" || used[id] {
			id += "-" + strconv.Itoa(i+1)
		}
		used[id] = true
		data.Sections = append(data.Sections, section{id, clean(s.Heading), s.Still, template.HTML(body.String())})
	}
	t, err := template.New("page").Parse(pageSource)
	if err != nil {
		return nil, fmt.Errorf("report: page template: %w", err)
	}
	var out bytes.Buffer
	if err := t.Execute(&out, data); err != nil {
		return nil, fmt.Errorf("report: page: %w", err)
	}
	return out.Bytes(), nil
}

// inlineHash allows a script by its content.
func inlineHash(script string) string {
	hash := sha256.Sum256([]byte(script))
	return "'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'"
}

// Save writes the page; the file appears whole or not at all.
func (p *Page) Save(path string) error {
	data, err := p.HTML()
	if err != nil {
		return err
	}
	return writeFile(path, data)
}

// anchor makes the name of a section for links: lower case, words joined by
// hyphens.
func anchor(heading string) string {
	words := strings.FieldsFunc(strings.ToLower(heading), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
	})
	return strings.Join(words, "-")
}

func (t Text) block() (string, error)   { return prose(string(t)), nil }
func (c Code) block() (string, error)   { return codeBlock(string(c)), nil }
func (t *Table) block() (string, error) { return t.HTML(), nil }

func (c Callout) block() (string, error) {
	kind := "plain"
	switch c.Kind {
	case "good", "warn", "bad":
		kind = c.Kind
	}
	return `<div class="callout ` + kind + `">` + prose(c.Text) + "</div>\n", nil
}

func (b Beside) block() (string, error) {
	var out strings.Builder
	out.WriteString(`<div class="beside">`)
	for _, one := range b {
		var s string
		var err error
		if chart, ok := one.(*Chart); ok {
			s, err = chart.figure(halfWidth, phoneWidth)
		} else {
			s, err = one.block()
		}
		if err != nil {
			return "", err
		}
		out.WriteString("<div>" + s + "</div>")
	}
	out.WriteString("</div>\n")
	return out.String(), nil
}

// Widths of charts in a page. Each chart is laid out for the desktop and again
// for the phone, so that its text is readable on both; style shows one of them.
const (
	wideWidth  = 800
	halfWidth  = 400
	phoneWidth = 350
	// A picture larger than this is put in once and scrolls on a phone.
	heavyPicture = 400_000
)

func (c *Chart) block() (string, error) { return c.figure(wideWidth, phoneWidth) }

// figure renders the chart for the given widths, the widest first.
func (c *Chart) figure(widths ...int) (string, error) {
	var out strings.Builder
	out.WriteString("<figure>")
	if c.Title != "" {
		out.WriteString(`<figcaption class="title">` + html.EscapeString(clean(c.Title)) + "</figcaption>")
	}
	for i, width := range widths {
		class, limit := "chart", ""
		if natural := c.lay(0, true).width; natural < nominalWidth && float64(width) > float64(natural) {
			// Narrow pictures stand in the middle instead of growing.
			width = int(natural)
			limit = ` style="max-width:` + strconv.Itoa(width) + `px"`
		}
		l := c.lay(vg.Length(width), false)
		data, err := l.svg()
		if err != nil {
			return "", err
		}
		if len(widths) > 1 {
			class = [...]string{"chart wide", "chart phone"}[i]
			if i == 0 && len(data) > heavyPicture {
				class, widths = "chart heavy", widths[:1]
			}
		}
		out.WriteString(`<div class="` + class + `"` + limit + `>`)
		out.Write(data)
		out.WriteString("</div>")
		if class == "chart heavy" {
			break
		}
	}
	if c.Note != "" {
		out.WriteString("<figcaption>" + inline(c.Note) + "</figcaption>")
	}
	out.WriteString("</figure>\n")
	return out.String(), nil
}
