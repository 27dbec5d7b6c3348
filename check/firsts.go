package check

import "github.com/inlier-ml/inlier/internal/spill"

// firsts finds for rows, asked in their order, the first one with the same hash: a table with open
// places, a quarter of the size of a map.
type firsts struct {
	hashes []uint64
	rows   []int32 // numbers from 1 at the place of their hash or behind it; 0: nobody
	shift  int     // of a hash to its place
}

func newFirsts(hashes []uint64) *firsts {
	size := 3
	for 1<<size < 2*len(hashes) { // at most half full
		size++
	}
	return &firsts{hashes: hashes, rows: spill.Make[int32](spill.Of(hashes), 1<<size), shift: 64 - size}
}

// free gives back what it took; nobody may ask any more.
func (f *firsts) free() {
	spill.Free(f.hashes)
	spill.Free(f.rows)
}

// of is the first row with the hash of row i, if i is not the first itself.
func (f *firsts) of(i int) (first int, again bool) {
	h := f.hashes[i]
	for at := int(h >> f.shift); ; at = (at + 1) & (len(f.rows) - 1) {
		switch r := f.rows[at]; {
		case r == 0:
			f.rows[at] = int32(i + 1)
			return i, false
		case f.hashes[r-1] == h:
			return int(r - 1), true
		}
	}
}
