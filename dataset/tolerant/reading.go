package tolerant

import (
	"bytes"
	"hash/maphash"
	"math"

	"github.com/inlier-ml/inlier/dataset/internal/cell"
)

// reading is how the cells of a column are read.
type reading struct {
	kind    Kind
	missing missing
	marking          // of numbers
	unit    []byte   // that numbers have; nil: none
	also    [][]byte // other currencies that they have too
	turned  bool     // numbers in other units of the same measure become those of the column's, which is known from an earlier table
	hex     bool     // numbers are hexadecimal
	order   order    // of day and month
	compact bool     // dates such as 20240131
	spans   bool     // times may be longer than a day
	lasting bool     // times are hours and minutes as amounts, 1h30m, of which one may stand alone
	laps    bool     // times are minutes and seconds; below a minute these may stand alone: 59.84
}

// fit says what became of a cell.
type fit uint8

const (
	fits fit = iota
	absent
	misfit
)

// tally counts what is met in a run of rows of one column.
type tally struct {
	missing   int
	misfits   []int
	otherwise int // numbers written with the other decimal mark
	bare      int // numbers without the column's unit
	turned    int // numbers in another unit, which became the column's
	limits    int // numbers such as <0.1, which are known to be below or above only
	// Dates in which only one order of day and month is possible.
	dayFirst, monthFirst int
}

// seed makes the hashes of texts; only their equality is ever used.
var seed = maphash.MakeSeed()

// noText is the value of a text column's missing cell.
var noText = math.Float64bits(math.NaN())

// hash tells texts apart.
func hash(b []byte) uint64 {
	h := maphash.Bytes(seed, b)
	if h == noText {
		h++
	}
	return h
}

// value reads one cell. Texts become their hashes, as the bits of a float64.
func (r *reading) value(b []byte, t *tally) (float64, fit) {
	if r.kind == Number && r.missing.more == nil && !r.comma && !r.hex { // most cells of most tables
		switch v, kind := cell.Parse(b); kind {
		case cell.Number:
			if r.unit != nil {
				t.bare++
			}
			return v, fits
		case cell.Missing:
			return math.NaN(), absent
		}
	}
	b = trim(b)
	if r.missing.is(b) {
		return math.NaN(), absent
	}
	switch r.kind {
	case Number:
		return r.number(b, t)
	case Date:
		return r.date(b, t)
	case Boolean:
		if v, ok := truth(b); ok {
			return v, fits
		}
		if v, kind := cell.Parse(b); kind == cell.Number && (v == 0 || v == 1) { // 1.0, as truths with gaps become elsewhere
			return v, fits
		}
		return math.NaN(), misfit
	case Empty:
		return math.NaN(), misfit
	}
	return math.Float64frombits(hash(b)), fits
}

// number reads a trimmed cell of a column of numbers.
func (r *reading) number(b []byte, t *tally) (float64, fit) {
	if r.hex {
		if v, ok := hex(b); ok {
			return v, fits
		}
	}
	if bytes.IndexByte(b, '.') < 0 && bytes.IndexByte(b, ',') < 0 {
		if v, kind := cell.Parse(b); kind == cell.Number {
			if r.unit != nil {
				t.bare++
			}
			return v, fits
		}
	}
	d, ok := undress(b)
	if !ok {
		return math.NaN(), misfit
	}
	v, e, ok := d.read(r.marking)
	if !ok {
		return math.NaN(), misfit
	}
	turned := false
	if r.turned && len(d.unit) > 0 && !bytes.Equal(d.unit, r.unit) {
		if v, turned = inUnit(v, d.unit, r.unit); turned {
			t.turned++
		}
	}
	if !turned && len(d.unit) > 0 && !r.knows(d.unit) {
		return math.NaN(), misfit
	}
	if d.limit {
		t.limits++
	}
	if r.unit != nil && len(d.unit) == 0 {
		t.bare++
	}
	if e.comma && !r.comma || e.point && r.comma {
		t.otherwise++
	}
	return v, fits
}

// knows tells whether a unit is one of those that the column has.
func (r *reading) knows(unit []byte) bool {
	if r.unit == nil {
		return false
	}
	if sameUnit(unit, r.unit) {
		return true
	}
	for _, other := range r.also {
		if sameUnit(unit, other) {
			return true
		}
	}
	return false
}

// date reads a trimmed cell of a column of dates.
func (r *reading) date(b []byte, t *tally) (float64, fit) {
	s, ok := parseStamp(b)
	if r.laps && (!ok || !s.time.given) { // 59.84 has the parts of a date, too
		if d, is := undress(b); is && len(d.unit) == 0 {
			if v, _, is := d.read(r.marking); is && v >= 0 && v < 60 {
				return v, fits
			}
		}
	}
	if v, is := partLasting(b); is && !ok && r.lasting {
		return v, fits
	}
	if !ok || s.time.long && !r.spans {
		return math.NaN(), misfit
	}
	o := r.order
	if first, second, matters := s.ordered(); matters {
		if s.sep == '.' {
			o = dayFirst
		} else if o == yearFirst {
			// neither day nor month
		} else if first > 12 && first <= 31 && second <= 12 {
			t.dayFirst++
		} else if second > 12 && second <= 31 && first <= 12 {
			t.monthFirst++
		}
	}
	v, ok := s.seconds(o)
	if !ok {
		return math.NaN(), misfit
	}
	return v, fits
}

// truths are the words for true and false, in small letters.
var truths = map[string]float64{
	"true": 1, "false": 0, "yes": 1, "no": 0, "y": 1, "n": 0, "t": 1, "f": 0, "on": 1, "off": 0, "ja": 1, "nein": 0, "j": 1,
	"wahr": 1, "falsch": 0, "oui": 1, "non": 0, "vrai": 1, "faux": 0, "si": 1, "sí": 1, "sì": 1, "verdadero": 1, "falso": 0, "vero": 1, "sim": 1, "não": 0, "nee": 0,
	"1": 1, "0": 0, ".true.": 1, ".false.": 0, "verdadeiro": 1, "nej": 0, "nei": 0, "tak": 1, "nie": 0, "да": 1, "нет": 0, "kyllä": 1, "ei": 0, "ano": 1, "ne": 0, "igen": 1, "nem": 0,
	"evet": 1, "hayır": 0, "是": 1, "否": 0, "✓": 1, "✗": 0, "✔": 1, "✘": 0, "☑": 1, "☐": 0,
}

func truth(b []byte) (float64, bool) {
	if len(b) > 10 {
		return 0, false
	}
	v, ok := truths[string(bytes.ToLower(b))]
	return v, ok
}
