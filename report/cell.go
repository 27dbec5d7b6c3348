package report

import "html"

// A Link is a cell that leads somewhere: a web address, a place in the page or a file
// beside it. Where links make no sense it is its text.
type Link struct{ Text, Target string }

func (l Link) String() string { return l.Text }

// A Badge is a cell whose word is coloured by its kind, as in [Callout].
type Badge struct{ Kind, Text string }

func (b Badge) String() string { return b.Text }

// A Correction is a cell that is wrong, with what it should be.
type Correction struct{ Was, Is string }

func (c Correction) String() string { return c.Was + " → " + c.Is }

// cellHTML sets a cell whose text is already written.
func cellHTML(v any, text string) string {
	text = html.EscapeString(text)
	switch v := v.(type) {
	case Link:
		if safeLink(v.Target) {
			return `<a href="` + html.EscapeString(v.Target) + `" rel="noopener">` + text + "</a>"
		}
	case Correction:
		return `<span class="badge bad">` + html.EscapeString(clean(v.Was)) + "<br>→ " + html.EscapeString(clean(v.Is)) + "</span>"
	case Badge:
		switch v.Kind {
		case "good", "warn", "bad":
			return `<span class="badge ` + v.Kind + `">` + text + "</span>"
		}
	}
	return text
}

// cellMarkdown likewise.
func cellMarkdown(v any, text string) string {
	text = markdownText(text)
	if l, ok := v.(Link); ok && safeLink(l.Target) {
		return "[" + text + "](" + l.Target + ")"
	}
	return text
}
