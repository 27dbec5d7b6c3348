package check

import "github.com/inlier-ml/inlier/internal/spill"

// firsts are for rows the first one with the same hash. Rows are looked at in parts by their hash, so small that the places of
// each stay in memory: of a table that is in files every look at a place far from the last would bring in pages.
type firsts struct {
	hashes []uint64
	rows   []int32 // the first row, from 1; 0: the row itself
}

// firstsPart is about how many rows of different hashes a part has.
const firstsPart = 1 << 19

func newFirsts(hashes []uint64) *firsts {
	f := &firsts{hashes: hashes, rows: spill.Make[int32](spill.Of(hashes), len(hashes))}
	bits := 0
	for len(hashes)>>bits > firstsPart {
		bits++
	}
	at := newHashed(2 * min(len(hashes), firstsPart))
	for part := range uint64(1) << bits {
		at.clear()
		for i, h := range spill.Each(hashes) {
			if h>>(64-bits) != part { // of one part: a shift by 64 leaves 0
				continue
			}
			if first := at.of(h, int32(i+1)); first != int32(i+1) {
				f.rows[i] = first
			}
		}
	}
	return f
}

// free gives back what it took; nobody may ask any more.
func (f *firsts) free() {
	spill.Free(f.hashes)
	spill.Free(f.rows)
}

// of is the first row with the hash of row i, if i is not the first itself.
func (f *firsts) of(i int) (first int, again bool) {
	if r := f.rows[i]; r > 0 {
		return int(r - 1), true
	}
	return i, false
}

// hashed are hashes with a row each, at the place that the hash says or behind it; at most half of them are taken.
type hashed struct {
	at    []held
	taken int
}

type held struct {
	hash uint64
	row  int32 // from 1; 0: nobody
}

func newHashed(most int) *hashed {
	size := 8
	for size < most {
		size *= 2
	}
	return &hashed{at: make([]held, size)}
}

func (p *hashed) clear() {
	clear(p.at)
	p.taken = 0
}

// of is the row that came first with a hash: the given one where none did.
func (p *hashed) of(hash uint64, row int32) int32 {
	last := uint64(len(p.at) - 1)
	for k := hash * 0x9e3779b97f4a7c15 >> 20 & last; ; k = (k + 1) & last { // parts have the same first bits
		switch at := &p.at[k]; {
		case at.row == 0:
			*at = held{hash, row}
			if p.taken++; 2*p.taken > len(p.at) {
				p.grow()
			}
			return row
		case at.hash == hash:
			return at.row
		}
	}
}

func (p *hashed) grow() {
	larger := newHashed(2 * len(p.at))
	for _, at := range p.at {
		if at.row > 0 {
			larger.of(at.hash, at.row)
		}
	}
	*p = *larger
}
