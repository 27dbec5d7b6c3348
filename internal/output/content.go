package output

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"

	"github.com/klauspost/compress/gzip"
)

// JSONFile is JSON whose first object begins with the same keys.
func JSONFile(v any) Kind {
	return Kind{"a result of this command", func(file *os.File, _ int64) bool {
		var text bytes.Buffer
		if EncodeJSON(&text, v) != nil {
			return false
		}
		ours, theirs := firstKeys(&text), firstKeys(file)
		n := min(2, len(ours), len(theirs))
		return n > 0 && slices.Equal(ours[:n], theirs[:n])
	}}
}

// firstKeys are the keys of the outermost object, or of the first one of a list, as far
// as they stand before an inner object.
func firstKeys(in io.Reader) []string {
	d := json.NewDecoder(in)
	var keys []string
	for depth, name := 0, true; ; {
		token, err := d.Token()
		if err != nil {
			return keys
		}
		switch t := token.(type) {
		case json.Delim:
			if depth++; t != '{' && (t != '[' || depth > 1) || len(keys) > 0 {
				return keys
			}
		case string:
			if name {
				keys = append(keys, t)
			}
			name = !name
		default:
			name = true
		}
	}
}

// SameContent is a file that holds already what is to be written. Data carry no mark, so
// nothing else can be told from data of the user's own.
func SameContent(path string, content func(io.Writer) error) Kind {
	return Kind{"what would be written", func(file *os.File, _ int64) bool {
		var there io.Reader = file
		if HasEnding(path, ".gz") {
			unpacked, err := gzip.NewReader(file)
			if err != nil {
				return false
			}
			there = unpacked
		}
		c := &differ{there: there}
		if content(c) != nil {
			return false
		}
		n, _ := io.ReadFull(there, make([]byte, 1))
		return n == 0
	}}
}

// differ is an io.Writer that fails at the first byte that is not there already.
type differ struct{ there io.Reader }

var errDiffers = errors.New("the content differs")

func (c *differ) Write(p []byte) (int, error) {
	b := make([]byte, len(p))
	if _, err := io.ReadFull(c.there, b); err != nil || !bytes.Equal(b, p) {
		return 0, errDiffers
	}
	return len(p), nil
}

// AnyFile is for data whose content is compared when it is known.
var AnyFile = Kind{"", func(*os.File, int64) bool { return true }}

// EncodeJSON writes a result for programs.
func EncodeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
