// Package console is what stands between a program and its terminal, pipes and files: text that cannot rule the
// terminal, reading and writing that end when the program is interrupted.
package console

import (
	"bytes"
	"os"
	"strings"
	"unicode/utf8"
)

// Screen is standard output that is a terminal. Names and texts of files may hold
// anything, also sequences that rule the terminal; none of them goes through. Our own
// bold and colours do.
type Screen struct {
	*os.File
	rest []byte // the beginning of a character or sequence whose end has not come yet
}

// Write shows text without what rules the terminal.
func (s *Screen) Write(p []byte) (int, error) {
	text := append(s.rest, p...)
	s.rest = nil
	var out bytes.Buffer
	for len(text) > 0 {
		if n, whole := style(text); n > 0 {
			if !whole {
				s.rest = bytes.Clone(text)
				break
			}
			out.Write(text[:n])
			text = text[n:]
			continue
		}
		if !utf8.FullRune(text) {
			s.rest = bytes.Clone(text)
			break
		}
		r, n := utf8.DecodeRune(text)
		out.WriteRune(shown(r))
		text = text[n:]
	}
	if _, err := s.File.Write(out.Bytes()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// style is the length of a sequence that changes only weight or colour of letters, such
// as ESC [ 1 ; 32 m, at the beginning of a text; whole is false when its end is missing.
func style(text []byte) (n int, whole bool) {
	const longest = 12
	for i, c := range text[:min(len(text), longest)] {
		switch {
		case i == 0 && c == 0x1b, i == 1 && c == '[', i > 1 && (c >= '0' && c <= '9' || c == ';'):
		case i > 1 && c == 'm':
			return i + 1, true
		default:
			return 0, false
		}
	}
	return len(text), len(text) >= longest
}

// Calm is a text without control characters, for messages.
func Calm(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return shown(r) != r }) < 0 && utf8.ValidString(text) {
		return text
	}
	return strings.Map(shown, strings.ToValidUTF8(text, "\uFFFD"))
}

// shown is the character itself, or a substitute for one that rules the terminal: control
// characters and those that turn the direction of writing.
func shown(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return r
	case r < ' ', r >= 0x7f && r <= 0x9f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return utf8.RuneError
	}
	return r
}

// KnowsUTF8 tells whether the user's locale can show letters beyond ASCII. Where it says
// nothing, today's terminals can.
func KnowsUTF8() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(os.Getenv(name)); v != "" {
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8") || v == "c" || v == "posix"
		}
	}
	return true
}
