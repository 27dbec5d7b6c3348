package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
)

// deepest is how far lists and objects may stand in each other; the decoder refuses what is deeper.
const deepest = 1000

// noneTwice refuses JSON in which a member stands twice in an object: of two values one would be taken and the other lost without a word.
// Text that is no JSON is left to the decoder.
func noneTwice(text []byte) error {
	t := tidy{text: text}
	return t.all()
}

// tidied is such JSON with whole numbers written plainly, 3.0 as 3, and no list longer than requests have.
func tidied(text []byte) ([]byte, error) {
	t := tidy{text: text, numbers: true}
	if err := t.all(); err != nil {
		return nil, err
	}
	if t.out == nil {
		return text, nil
	}
	return append(t.out, text[t.from:]...), nil
}

// tidy goes through a text.
type tidy struct {
	text    []byte
	numbers bool   // are written plainly
	out     []byte // what is written anew; nil: nothing
	from    int    // where the rest of the text begins
	open    []level
}

// level is a list or an object that is open.
type level struct {
	object, key bool // key: the next text is the name of a member
	commas      int
	few         [][]byte
	many        map[string]bool // in place of few where there are many
}

func (t *tidy) all() error {
	for at := 0; at < len(t.text); {
		switch c := t.text[at]; {
		case c == '"':
			end := textEnd(t.text, at)
			if n := len(t.open); n > 0 && t.open[n-1].key {
				if err := t.open[n-1].take(t.text[at:end], n == 1); err != nil {
					return err
				}
			}
			at = end
			continue
		case c == '{' || c == '[':
			if len(t.open) == deepest {
				return nil
			}
			t.descend(c == '{')
		case c == '}' || c == ']':
			if len(t.open) == 0 {
				return nil
			}
			t.open = t.open[:len(t.open)-1]
		case c == ',' && len(t.open) > 0:
			l := &t.open[len(t.open)-1]
			l.key = l.object
			if l.commas++; t.numbers && l.commas >= mostChoices { // each is looked at before all are counted, and what is wrong with it kept
				return fmt.Errorf("a list of more than %d: %w", mostChoices, errLimit)
			}
		case t.numbers && (c == '-' || c >= '0' && c <= '9'):
			end := at + 1
			for end < len(t.text) && bytes.IndexByte([]byte("+-.eE0123456789"), t.text[end]) >= 0 {
				end++
			}
			if err := t.number(at, end); err != nil {
				return err
			}
			at = end
			continue
		}
		at++
	}
	return nil
}

// descend opens a list or object; what an earlier one at its depth has noted is room for it.
func (t *tidy) descend(object bool) {
	n := len(t.open)
	if n < cap(t.open) {
		t.open = t.open[:n+1]
	} else {
		t.open = append(t.open, level{})
	}
	l := &t.open[n]
	l.object, l.key, l.commas, l.few = object, object, 0, l.few[:0]
	clear(l.many)
}

// take notes the name of a member. Those of a request itself are the same in letters of either case.
func (l *level) take(quoted []byte, fold bool) error {
	const fewest = 32
	l.key = false
	name := bytes.Trim(quoted, `"`)
	if bytes.IndexByte(quoted, '\\') >= 0 {
		var read string
		if json.Unmarshal(quoted, &read) != nil {
			return nil
		}
		name = []byte(read)
	}
	if fold {
		name = bytes.ToLower(name)
	}
	twice := false
	if len(l.few) < fewest {
		for _, known := range l.few {
			twice = twice || bytes.Equal(known, name)
		}
		l.few = append(l.few, name)
	} else {
		if len(l.many) == 0 {
			l.many = map[string]bool{}
			for _, known := range l.few {
				l.many[string(known)] = true
			}
		}
		twice = l.many[string(name)]
		l.many[string(name)] = true
	}
	if twice {
		return fmt.Errorf("%q stands in it twice", printable(string(name)))
	}
	return nil
}

// number writes a whole number plainly, as far as every one is known.
func (t *tidy) number(at, end int) error {
	word := t.text[at:end]
	if !bytes.ContainsAny(word, ".eE") {
		return nil
	}
	v, err := strconv.ParseFloat(string(word), 64)
	if errors.Is(err, strconv.ErrRange) && math.IsInf(v, 0) {
		return fmt.Errorf("%s is too large for a number", printable(string(word)))
	}
	if err != nil || v != math.Trunc(v) || math.Abs(v) >= 1<<53 {
		return nil
	}
	if v == 0 {
		v = 0 // without a sign
	}
	t.out = strconv.AppendFloat(append(t.out, t.text[t.from:at]...), v, 'f', -1, 64)
	t.from = end
	return nil
}

// textEnd is where a text that begins with a quotation mark ends.
func textEnd(text []byte, at int) int {
	for at++; at < len(text); at++ {
		switch text[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
	return len(text)
}
