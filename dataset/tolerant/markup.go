package tolerant

import (
	"bytes"
	"html"
	"io"
)

// markup goes through the tags of an XML file, as far as workbooks need it: names without their
// prefix, attributes, and the text between tags. It reads a stream through a window.
type markup struct {
	in     io.Reader
	window []byte
	at     int
	ended  bool
	failed error

	name    []byte // of the tag
	inside  []byte // of the tag behind the name: its attributes
	closes  bool   // </name>
	empty   bool   // <name/>
	longest int    // tag or text
}

func newMarkup(in io.Reader) *markup { return &markup{in: in, longest: 1 << 22} }

// more reads on; what has been gone through is forgotten. It is false at the end.
func (m *markup) more() bool {
	if m.ended || m.failed != nil {
		return false
	}
	if m.at > 0 {
		m.window = m.window[:copy(m.window, m.window[m.at:])]
		m.at = 0
	}
	if len(m.window) > m.longest {
		m.ended = true
		return false
	}
	if cap(m.window)-len(m.window) < 1<<15 {
		m.window = append(make([]byte, 0, 2*cap(m.window)+1<<16), m.window...)
	}
	n, err := m.in.Read(m.window[len(m.window):cap(m.window)])
	m.window = m.window[:len(m.window)+n]
	if err != nil {
		m.ended = true
		if err != io.EOF {
			m.failed = err
		}
	}
	return n > 0 || !m.ended
}

// find is where a text begins from here on; -1 at the end.
func (m *markup) find(text string) int {
	from := 0
	for {
		if n := bytes.Index(m.window[m.at+from:], []byte(text)); n >= 0 {
			return from + n
		}
		from = max(len(m.window)-m.at-len(text), 0)
		if !m.more() {
			return -1
		}
	}
}

// next goes to the next tag and returns the text before it, as it is written. It is false at the end.
// Text and tag may be used until the next call.
func (m *markup) next() (text []byte, ok bool) {
	end := m.find("<")
	if end < 0 {
		return nil, false
	}
	stop := m.find(">")
	if stop < 0 {
		return nil, false
	}
	rest := m.window[m.at+end:]
	switch { // which hold > and < of their own
	case bytes.HasPrefix(rest, []byte("<!--")):
		return m.skip(end, "-->")
	case bytes.HasPrefix(rest, []byte("<![CDATA[")):
		m.at += end + len("<![CDATA[")
		n := m.find("]]>")
		if n < 0 {
			return nil, false
		}
		text = m.window[m.at : m.at+n]
		m.at += n + 3
		m.name, m.inside, m.closes, m.empty = nil, nil, false, true
		return text, true
	case stop < end: // a > in a text
		stop = end + bytes.IndexByte(rest, '>')
		for stop < end {
			if !m.more() {
				return nil, false
			}
			rest = m.window[m.at+end:]
			stop = end + bytes.IndexByte(rest, '>')
		}
	}
	text = m.window[m.at : m.at+end]
	m.setTag(m.window[m.at+end+1 : m.at+stop])
	m.at += stop + 1
	return text, true
}

func (m *markup) skip(from int, mark string) ([]byte, bool) {
	m.at += from
	n := m.find(mark)
	if n < 0 {
		return nil, false
	}
	m.at += n + len(mark)
	return m.next()
}

func (m *markup) setTag(tag []byte) {
	m.closes, m.empty = false, false
	if n := len(tag); n > 0 && tag[0] == '/' {
		m.closes, tag = true, tag[1:]
	} else if n > 0 && tag[n-1] == '/' {
		m.empty, tag = true, tag[:n-1]
	}
	m.name, m.inside = tag, nil
	if end := bytes.IndexAny(tag, " \t\r\n"); end >= 0 {
		m.name, m.inside = tag[:end], tag[end:]
	}
	if at := bytes.IndexByte(m.name, ':'); at >= 0 {
		m.name = m.name[at+1:]
	}
}

// attribute is the value of an attribute of the tag, with or without a prefix; nil where there is none.
func (m *markup) attribute(name string) []byte {
	rest := m.inside
	for {
		eq := bytes.IndexByte(rest, '=')
		if eq < 0 || eq+1 >= len(rest) {
			return nil
		}
		key := bytes.TrimSpace(rest[:eq])
		if at := bytes.IndexByte(key, ':'); at >= 0 {
			key = key[at+1:]
		}
		rest = bytes.TrimLeft(rest[eq+1:], " \t\r\n")
		if len(rest) == 0 {
			return nil
		}
		end := bytes.IndexByte(rest[1:], rest[0])
		if end < 0 {
			return nil
		}
		if string(key) == name {
			return rest[1 : end+1]
		}
		rest = rest[end+2:]
	}
}

// plain is text with its references replaced.
func plain(text []byte) string {
	if bytes.IndexByte(text, '&') < 0 {
		return string(text)
	}
	return html.UnescapeString(string(text))
}
