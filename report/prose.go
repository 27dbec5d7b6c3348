package report

import (
	"html"
	"net/url"
	"regexp"
	"strings"
)

// prose renders a small, safe part of Markdown as HTML: paragraphs, lists ("- "
// or "1. "), fenced code, `code`, **strong**, *emphasis* and [links](https://...).
// Everything else, HTML included, is shown as it was typed.
func prose(text string) string {
	var out strings.Builder
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i := 0; i < len(lines); {
		line := strings.TrimSpace(lines[i])
		switch {
		case line == "":
			i++
		case strings.HasPrefix(line, "```"):
			i++
			var code []string
			for i < len(lines) && !strings.HasPrefix(strings.TrimSpace(lines[i]), "```") {
				code = append(code, strings.TrimRight(lines[i], "\r"))
				i++
			}
			i++
			out.WriteString(codeBlock(strings.Join(code, "\n")))
		case listItem(line) != "":
			tag := "ul"
			if line[0] != '-' {
				tag = "ol"
			}
			out.WriteString("<" + tag + ">")
			for i < len(lines) && listItem(strings.TrimSpace(lines[i])) != "" {
				out.WriteString("<li>" + inline(listItem(strings.TrimSpace(lines[i]))) + "</li>")
				i++
			}
			out.WriteString("</" + tag + ">\n")
		default:
			var paragraph []string
			for i < len(lines) {
				line := strings.TrimSpace(lines[i])
				if line == "" || strings.HasPrefix(line, "```") || listItem(line) != "" {
					break
				}
				paragraph = append(paragraph, line)
				i++
			}
			out.WriteString("<p>" + inline(strings.Join(paragraph, " ")) + "</p>\n")
		}
	}
	return out.String()
}

// codeBlock shows text as it is, line by line.
func codeBlock(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = clean(strings.ReplaceAll(line, "\t", "    "))
	}
	return `<div class="scroll" tabindex="0"><pre><code>` + html.EscapeString(strings.Join(lines, "\n")) + "</code></pre></div>\n"
}

// listItem is the text of a list item, or nothing.
func listItem(line string) string {
	if rest, ok := strings.CutPrefix(line, "- "); ok {
		return strings.TrimSpace(rest)
	}
	digits := 0
	for digits < len(line) && line[digits] >= '0' && line[digits] <= '9' {
		digits++
	}
	if digits > 0 && digits < 4 {
		if rest, ok := strings.CutPrefix(line[digits:], ". "); ok {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}

// proseMarks are what a backslash takes the meaning from.
const proseMarks = "\\`*[]()-."

// Literal makes a text of the user's, such as the name of a class, safe to put into
// prose: nothing in it becomes a link, code or emphasis.
func Literal(text string) string {
	var out strings.Builder
	for _, r := range clean(text) {
		if strings.ContainsRune(proseMarks, r) {
			out.WriteByte('\\')
		}
		out.WriteRune(r)
	}
	return out.String()
}

// inline renders the marks within a line.
func inline(s string) string {
	s = clean(s)
	var out strings.Builder
	for s != "" {
		at := strings.IndexAny(s, "`*[\\")
		if at < 0 {
			break
		}
		out.WriteString(html.EscapeString(s[:at]))
		s = s[at:]
		if s[0] == '\\' && len(s) > 1 && strings.IndexByte(proseMarks, s[1]) >= 0 { // meant as it is
			out.WriteString(html.EscapeString(s[1:2]))
			s = s[2:]
			continue
		}
		rendered, rest := mark(s)
		if rendered == "" { // not a mark after all
			rendered, rest = html.EscapeString(s[:1]), s[1:]
		}
		out.WriteString(rendered)
		s = rest
	}
	out.WriteString(html.EscapeString(s))
	return out.String()
}

var proseTags = regexp.MustCompile("<[^>]*>")

// plainProse is prose without its marks, for pictures.
func plainProse(s string) string {
	return html.UnescapeString(proseTags.ReplaceAllString(inline(s), "")) // all else is escaped there
}

// mark renders the mark that s starts with; nothing when there is none.
func mark(s string) (rendered, rest string) {
	enclosed := func(fence, tag string, nested bool) (string, string) {
		body, after, ok := cutMark(s[len(fence):], fence, nested)
		if !ok || strings.TrimSpace(body) == "" || body[0] == ' ' {
			return "", s
		}
		if nested {
			body = inline(body)
		} else {
			body = html.EscapeString(body)
		}
		return "<" + tag + ">" + body + "</" + tag + ">", after
	}
	switch {
	case strings.HasPrefix(s, `\`):
		return "", s
	case strings.HasPrefix(s, "`"):
		return enclosed("`", "code", false)
	case strings.HasPrefix(s, "**"):
		return enclosed("**", "strong", true)
	case strings.HasPrefix(s, "*"):
		return enclosed("*", "em", true)
	}
	text, after, ok := strings.Cut(s[1:], "](")
	if !ok || strings.ContainsAny(text, "[]") {
		return "", s
	}
	target, after, ok := strings.Cut(after, ")")
	if !ok || !safeLink(target) {
		return "", s
	}
	return `<a href="` + html.EscapeString(target) + `" rel="noopener">` + inline(text) + "</a>", after
}

// cutMark is strings.Cut that skips what a backslash takes the meaning from.
func cutMark(s, fence string, escapes bool) (before, after string, ok bool) {
	for i := 0; i < len(s); i++ {
		switch {
		case escapes && s[i] == '\\':
			i++
		case strings.HasPrefix(s[i:], fence):
			return s[:i], s[i+len(fence):], true
		}
	}
	return s, "", false
}

// safeLink allows web addresses, places in the page and files beside it.
func safeLink(target string) bool {
	if target == "" || strings.ContainsAny(target, " \"'<>\\\x00") || strings.HasPrefix(target, "//") {
		return false
	}
	u, err := url.Parse(target)
	if err != nil {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" || u.Scheme == "" && u.Host == ""
}
