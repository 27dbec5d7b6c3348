package tolerant

import (
	"sort"

	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/internal/words"
)

// stack puts the tables of several files one below the other, columns matched by name, or by place
// where files name none.
func stack(pieces []*piece) *Table {
	t := &Table{}
	for _, p := range pieces {
		t.Names = append(t.Names, p.name)
		t.Rows += p.rows
		t.bytes += max(p.bytes, 1)
	}
	first := pieces[0]
	if len(pieces) == 1 {
		t.Columns, t.text, t.width, t.Remarks, t.units = named(first.names), first.text, first.width, first.remarks, first.units
		t.Shape = first.shape
		for j := range first.known {
			if c := &first.known[j]; c.Kind != Empty {
				c.Name, c.Given = t.Columns[j].Name, t.Columns[j].Given
				t.Columns[j] = *c
			}
		}
		return t
	}
	t.Remarks = first.remarks
	pile := &pile{}
	names := append([]string(nil), uniqueNames(first.names)...)
	place := map[string]int{}
	for j, name := range names {
		place[name] = j
	}
	for k, p := range pieces {
		places := make([]int, len(p.names))
		seen := make([]bool, len(names))
		var more []string
		for j, name := range uniqueNames(p.names) {
			at, ok := place[name]
			if !p.named && j < len(names) {
				at, ok = j, true
			}
			if !ok {
				at = len(names)
				names, place[name] = append(names, name), at
				more = append(more, name)
			}
			places[j] = at
			if at < len(seen) {
				seen[at] = true
			}
		}
		if k > 0 {
			var lacks []string
			for j, name := range names[:len(seen)] {
				if !seen[j] {
					lacks = append(lacks, name)
				}
			}
			if len(more) > 0 {
				t.remark("", "%s has %s that files before it do not have.", p.name, words.Noun(len(more), "column")+" "+words.Names(more))
			}
			if len(lacks) > 0 {
				t.remark("", "%s lacks %s.", p.name, words.Noun(len(lacks), "column")+" "+words.Names(lacks))
			}
		}
		pile.add(p, places)
		for j := range p.known { // all are read from the text
			spill.Free(p.known[j].Values)
		}
	}
	t.Columns, t.text = named(names), pile
	t.remark("", "%d files stand one below the other.", len(pieces))
	return t
}

func uniqueNames(names []string) []string {
	columns := named(names)
	unique := make([]string, len(columns))
	for j := range columns {
		unique[j] = columns[j].Name
	}
	return unique
}

// pile is the text of several files.
type pile struct {
	texts  []text
	firsts []int   // row at which each begins
	fields [][]int // the field of each of the table's columns, -1 for none
	rows   int
}

func (p *pile) add(of *piece, places []int) {
	p.texts = append(p.texts, of.text)
	p.firsts = append(p.firsts, p.rows)
	p.rows += of.rows
	most := -1
	for _, at := range places {
		most = max(most, at)
	}
	fields := make([]int, most+1)
	for j := range fields {
		fields[j] = -1
	}
	for j, at := range places {
		fields[at] = j
	}
	p.fields = append(p.fields, fields)
}

// at is the file of a row and its row there.
func (p *pile) at(row int) (k, within int) {
	k = sort.SearchInts(p.firsts, row+1) - 1
	return k, row - p.firsts[k]
}

func (p *pile) cell(row, column int) string {
	k, within := p.at(row)
	if column >= len(p.fields[k]) || p.fields[k][column] < 0 {
		return ""
	}
	return p.texts[k].cell(within, p.fields[k][column])
}

func (p *pile) place(row int) (string, int) {
	k, within := p.at(row)
	return p.texts[k].place(within)
}

func (p *pile) scan(from, to int, visit func(row int, fields [][]byte)) {
	for from < to {
		k, within := p.at(from)
		end := p.rows
		if k+1 < len(p.firsts) {
			end = p.firsts[k+1]
		}
		end = min(end, to)
		sorted := make([][]byte, len(p.fields[k]))
		first := p.firsts[k]
		p.texts[k].scan(within, within+end-from, func(row int, fields [][]byte) {
			for j, f := range p.fields[k] {
				sorted[j] = nil
				if f >= 0 && f < len(fields) {
					sorted[j] = fields[f]
				}
			}
			visit(first+row, sorted)
		})
		from = end
	}
}
