package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

// elements parses an XML document and returns its elements and its text. It fails
// the test when the document is not well-formed.
func elements(t *testing.T, data []byte) (names map[string]int, text string) {
	t.Helper()
	names = map[string]int{}
	var all strings.Builder
	d := xml.NewDecoder(bytes.NewReader(data))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return names, all.String()
		}
		if err != nil {
			t.Fatalf("not well-formed: %v\n%.300s", err, data)
		}
		switch token := token.(type) {
		case xml.StartElement:
			names[token.Name.Local]++
		case xml.CharData:
			all.Write(token)
			all.WriteByte('\n')
		}
	}
}

func svgOf(t *testing.T, c *Chart) []byte {
	t.Helper()
	data, err := c.SVG()
	if err != nil {
		t.Fatal(err)
	}
	return data
}
