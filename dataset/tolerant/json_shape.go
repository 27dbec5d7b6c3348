package tolerant

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/inlier-ml/inlier/internal/words"
)

// jsonShape is where a JSON document keeps its table.
type jsonShape struct {
	form     jsonForm
	from, to int      // of the rows in the text
	names    []string // of lists, where another member says them
	member   string   // that holds the rows; empty: the whole document does
	left     []string // members beside it
	columns  []jsonMember
}

type jsonForm uint8

const (
	jsonObjects jsonForm = iota // one after the other, or an array of them
	jsonLists                   // likewise; the first may hold the names
	jsonColumns                 // a member for each column, with a list or with cells by the names of rows
	jsonKeyed                   // a member for each row
)

// jsonMember is a member of an object, and where its value stands.
type jsonMember struct {
	name     string
	from, to int
}

const jsonBlanks = " \t\r\n"

// begins is the first character of a text, 0 for none.
func begins(text []byte) byte {
	if text = bytes.TrimLeft(text, jsonBlanks); len(text) > 0 {
		return text[0]
	}
	return 0
}

// inside is what an array or object begins with: the first character behind its bracket.
func inside(text []byte) byte {
	text = bytes.TrimLeft(text, jsonBlanks)
	if len(text) == 0 {
		return 0
	}
	return begins(text[1:])
}

// shapeOf finds the table of a document. What is no whole object or array of something else is taken for objects, one after
// the other, whose reader says what is wrong.
func shapeOf(data []byte) jsonShape {
	objects := jsonShape{form: jsonObjects, to: len(data)}
	if begins(data) == '[' {
		if inside(data) != '{' && inside(data) != ']' {
			objects.form = jsonLists
		}
		return objects
	}
	members, end, ok := membersOf(data, 0)
	if !ok || begins(data[end:]) != 0 { // lines of objects
		return objects
	}
	if found, ok := tableIn(data, members, 0); ok {
		return found
	}
	return objects
}

// membersOf lists the members of the object at a place, and where it ends.
func membersOf(data []byte, at int) (members []jsonMember, end int, ok bool) {
	in := json.NewDecoder(bytes.NewReader(data[at:]))
	if token, err := in.Token(); err != nil || token != json.Delim('{') {
		return nil, 0, false
	}
	var raw json.RawMessage
	for in.More() {
		name, err := in.Token()
		if err != nil || in.Decode(&raw) != nil {
			return nil, 0, false
		}
		to := at + int(in.InputOffset())
		text, _ := name.(string)
		members = append(members, jsonMember{text, to - len(raw), to})
	}
	_, err := in.Token()
	return members, at + int(in.InputOffset()), err == nil
}

// tableIn finds the table among the members of an object: the longest array of objects or lists, a list for each column, or
// an object for each row or column; otherwise in a member of a member.
func tableIn(data []byte, members []jsonMember, depth int) (jsonShape, bool) {
	best := -1
	for k, m := range members {
		text := data[m.from:m.to]
		if begins(text) == '[' && (inside(text) == '{' || inside(text) == '[') && (best < 0 || m.to-m.from > members[best].to-members[best].from) {
			best = k
		}
	}
	if best >= 0 {
		return arrayIn(data, members, best), true
	}
	if n := sameSize(data, members); n > 1 || n == 1 && depth == 0 {
		return jsonShape{form: jsonColumns, columns: members}, true
	}
	if sameNames(data, members) > 1 {
		if byColumns(data, members) {
			return jsonShape{form: jsonColumns, columns: members}, true
		}
		return jsonShape{form: jsonKeyed, columns: members}, true
	}
	for _, m := range members {
		if begins(data[m.from:m.to]) != '{' || depth > 2 {
			continue
		}
		within, _, ok := membersOf(data, m.from)
		if !ok {
			continue
		}
		if s, ok := tableIn(data, within, depth+1); ok && (s.form == jsonObjects || s.form == jsonLists) {
			s.member = m.name + "." + s.member
			s.left = append(s.left, others(members, m.name)...)
			return s, true
		}
	}
	return jsonShape{}, false
}

// arrayIn is the table that a member holds; lists may have their names in another.
func arrayIn(data []byte, members []jsonMember, k int) jsonShape {
	m := members[k]
	s := jsonShape{form: jsonObjects, from: m.from, to: m.to, member: m.name, left: others(members, m.name)}
	if inside(data[m.from:m.to]) != '[' {
		return s
	}
	s.form = jsonLists
	var first []json.RawMessage
	if json.NewDecoder(bytes.NewReader(data[m.from+1:m.to])).Decode(&first) != nil {
		return s
	}
	for _, other := range members {
		var names []string
		if begins(data[other.from:other.to]) == '[' && json.Unmarshal(data[other.from:other.to], &names) == nil && len(names) == len(first) {
			s.names, s.left = names, others(members, m.name, other.name)
			break
		}
	}
	return s
}

func others(members []jsonMember, taken ...string) (names []string) {
	for _, m := range members {
		if m.name != taken[0] && m.name != taken[len(taken)-1] {
			names = append(names, m.name)
		}
	}
	return names
}

// sameSize counts the members where all are lists of equally many values; otherwise it is 0.
func sameSize(data []byte, members []jsonMember) int {
	size := -1
	for _, m := range members {
		var cells []json.RawMessage
		if begins(data[m.from:m.to]) != '[' || json.Unmarshal(data[m.from:m.to], &cells) != nil || len(cells) == 0 || size >= 0 && len(cells) != size {
			return 0
		}
		size = len(cells)
	}
	return len(members)
}

// sameNames counts the members where all are objects that share half of their names with the first; otherwise it is 0.
func sameNames(data []byte, members []jsonMember) int {
	known := map[string]bool{}
	for k, m := range members {
		within, _, ok := membersOf(data, m.from)
		if !ok || len(within) == 0 {
			return 0
		}
		shared := 0
		for _, cell := range within {
			if k == 0 {
				known[cell.name] = true
			}
			if known[cell.name] {
				shared++
			}
		}
		if 2*shared < len(known) {
			return 0
		}
	}
	return len(members)
}

// byColumns tells whether objects in an object are columns: their cells are numbered, or are more than they are.
func byColumns(data []byte, members []jsonMember) bool {
	within, _, _ := membersOf(data, members[0].from)
	numbered := func(list []jsonMember) bool {
		for k, m := range list {
			if m.name != strconv.Itoa(k) && m.name != strconv.Itoa(k+1) {
				return false
			}
		}
		return true
	}
	switch {
	case numbered(members) != numbered(within):
		return numbered(within)
	}
	return len(within) > len(members)
}

// describe says where the rows were found.
func (s *jsonShape) describe(p *piece) {
	if s.member == "" {
		return
	}
	text := sprintf("The rows are those of %q", s.member)
	if len(s.left) > 0 {
		text += sprintf("; %s beside it %s left out", words.Names(s.left), wasWere(len(s.left)))
	}
	p.remark("", "%s.", text)
}
