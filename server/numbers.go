package server

import (
	"math"

	"github.com/inlier-ml/inlier/internal/decimal"
)

// numberRows reads {"rows": [[1, 2], [3, null]]}, the body of most requests, without a value of its own for every number, and appends
// the numbers to room. Whatever else a body holds makes it false, and the general way tells what is wrong.
func numberRows(text []byte, room []float64) (numbers []float64, width int, ok bool) {
	s := scan{text: text}
	numbers = room
	if !s.takes('{') || !s.word(`"rows"`) || !s.takes(':') || !s.takes('[') {
		return numbers, 0, false
	}
	for row := 0; ; row++ {
		if !s.takes('[') {
			return numbers, 0, false
		}
		before := len(numbers)
		for {
			v, ok := s.number()
			if !ok {
				return numbers, 0, false
			}
			numbers = append(numbers, v)
			if !s.takes(',') {
				break
			}
		}
		if row == 0 {
			width = len(numbers)
		}
		if !s.takes(']') || len(numbers)-before != width {
			return numbers, 0, false
		}
		if !s.takes(',') {
			break
		}
	}
	if !s.takes(']') || !s.takes('}') {
		return numbers, 0, false
	}
	s.blanks()
	return numbers, width, s.at == len(text)
}

type scan struct {
	text []byte
	at   int
}

func (s *scan) blanks() {
	for s.at < len(s.text) && (s.text[s.at] == ' ' || s.text[s.at] == '\n' || s.text[s.at] == '\t' || s.text[s.at] == '\r') {
		s.at++
	}
}

func (s *scan) takes(c byte) bool {
	s.blanks()
	if s.at < len(s.text) && s.text[s.at] == c {
		s.at++
		return true
	}
	return false
}

func (s *scan) word(w string) bool {
	s.blanks()
	if len(s.text)-s.at >= len(w) && string(s.text[s.at:s.at+len(w)]) == w {
		s.at += len(w)
		return true
	}
	return false
}

// number reads a number as JSON writes it, or null, which is a missing value.
func (s *scan) number() (float64, bool) {
	if s.word("null") {
		return math.NaN(), true
	}
	v, length := decimal.Read(s.text[s.at:])
	s.at += length
	return v, length > 0
}
