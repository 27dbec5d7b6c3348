package file

import (
	"errors"
	"io"
	"math"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"

	"github.com/inlier-ml/inlier/dataset/internal/cell"
	"github.com/inlier-ml/inlier/linalg"
)

// parquetColumn goes through the values of one column, group after group of rows. Pages are decoded
// as a whole into numbers of the machine, so that nothing is asked of the library value by value.
type parquetColumn struct {
	decode   decoding  // nil for text
	there    byte      // level of a cell that holds a value
	unsigned bool      // whole numbers that are texts have no sign
	out      []float64 // what read has read last
	words    dictionary

	pages      parquet.Pages
	page       parquet.Page
	rows       int           // of the page
	row        int           // next one
	value      int           // next one of those that are there
	levels     []byte        // per row of the page; nil where all values are there
	numbers    []float64     // values that are there, of a column of numbers; or those of the group's dictionary,
	index      []int32       // of which these are there; nil without one
	texts      parquetBytes  // and of a column of text
	own        []float64     // room for numbers that the page does not hold as they are
	dictionary *parquetBytes // the group's of a column of text
	known      []float64     // the group's dictionary in numbers: a page of places in it is not turned into numbers as a whole, as it may hold many
	flags      *booleanPages
	walk       *pageWalk // nil: pages were looked at before
}

// begin goes to another group of rows.
func (c *parquetColumn) begin(pages parquet.Pages, flags *booleanPages, walk *pageWalk) {
	c.close()
	c.pages, c.rows, c.row, c.known, c.dictionary, c.flags, c.walk = pages, 0, 0, nil, nil, flags, walk
}

// bytes are the texts among values.
func (c *parquetColumn) bytes(values encoding.Values) parquetBytes {
	if values.Kind() == encoding.Int64 {
		return digits(values, c.unsigned)
	}
	return newParquetBytes(values)
}

// close may be called several times.
func (c *parquetColumn) close() {
	if c.page != nil {
		parquet.Release(c.page)
		c.page = nil
	}
	if c.pages != nil {
		c.pages.Close()
		c.pages = nil
	}
}

// read reads the next n values; fewer are an error. Texts are numbered anew every time.
func (c *parquetColumn) read(n int) error {
	c.words = dictionary{}
	for done := 0; done < n; {
		if c.row == c.rows {
			if err := c.turn(); err != nil {
				return err
			}
		}
		m := min(n-done, c.rows-c.row)
		out := c.out[done : done+m]
		switch {
		case c.levels == nil && c.decode != nil:
			if c.index == nil {
				copy(out, c.numbers[c.value:c.value+m])
			} else {
				for i, k := range c.index[c.value : c.value+m] {
					out[i] = c.numbers[k]
				}
			}
			c.value += m
		case c.levels == nil:
			for i := range out {
				out[i] = c.next()
			}
		default:
			for i, level := range c.levels[c.row : c.row+m] {
				if out[i] = math.NaN(); level == c.there {
					out[i] = c.next()
				}
			}
		}
		c.row += m
		done += m
	}
	return nil
}

// next is the next value that is there.
func (c *parquetColumn) next() float64 {
	c.value++
	if c.index != nil {
		return c.numbers[c.index[c.value-1]]
	}
	if c.decode != nil {
		return c.numbers[c.value-1]
	}
	text := cell.Trim(c.texts.value(c.value - 1))
	if cell.IsMissing(text) {
		return math.NaN()
	}
	return c.words.number(text)
}

// turn goes to the next page.
func (c *parquetColumn) turn() error {
	if err := c.walk.turn(); err != nil {
		return err
	}
	page, err := c.pages.ReadPage()
	if err == io.EOF {
		return errors.New("a column has fewer values than there are rows")
	}
	if err != nil {
		return err
	}
	if c.page != nil {
		parquet.Release(c.page)
	}
	c.page, c.rows, c.row, c.value = page, int(page.NumValues()), 0, 0
	c.levels = page.DefinitionLevels()
	count := c.rows
	if nulls := int(page.NumNulls()); nulls == 0 {
		c.levels = nil
	} else {
		count -= nulls
	}
	data, known := page.Data(), page.Dictionary()
	if c.decode == nil {
		if known == nil {
			c.texts = c.bytes(data)
		} else {
			if words := known.Page().Data(); c.dictionary == nil {
				own := c.bytes(words)
				c.dictionary = &own
			}
			c.texts = *c.dictionary
			c.texts.index = data.Int32()[:count]
		}
		return nil
	}
	c.index = nil
	if known == nil && data.Kind() == encoding.Double {
		c.numbers = data.Double()[:count]
		return nil
	}
	if known != nil && c.flags == nil {
		if words := known.Page().Data(); c.known == nil && words.Kind() == encoding.Double {
			c.known = words.Double() // of the group, as long as its pages are open
		} else if c.known == nil {
			c.known = make([]float64, known.Len())
			c.decode(c.known, words)
		}
		c.numbers, c.index = c.known, data.Int32()[:count]
		return nil
	}
	c.own = slices.Grow(c.own[:0], count)[:count]
	c.numbers = c.own
	if c.flags != nil && c.rows > 0 {
		if read, err := c.flags.next(c.own, c.rows); read || err != nil {
			return err
		}
	}
	if known == nil {
		c.decode(c.own, data)
		return nil
	}
	words := make([]float64, known.Len())
	c.decode(words, known.Page().Data())
	for i, k := range data.Int32()[:count] {
		c.own[i] = words[k]
	}
	return nil
}

// parquetBytes are values that stand as bytes: of any length, of the same length, or by their
// place in a dictionary.
type parquetBytes struct {
	data    []byte
	offsets []uint32 // where values begin, and the end; nil: all have the same length
	size    int
	index   []int32 // of values in the dictionary; nil: these are the values themselves
}

func newParquetBytes(values encoding.Values) (b parquetBytes) {
	if values.Kind() == encoding.ByteArray {
		b.data, b.offsets = values.ByteArray()
	} else {
		b.data, b.size = values.FixedLenByteArray()
	}
	return b
}

func (b *parquetBytes) value(i int) []byte {
	if b.index != nil {
		i = int(b.index[i])
	}
	if b.offsets == nil {
		return b.data[i*b.size : (i+1)*b.size]
	}
	return b.data[b.offsets[i]:b.offsets[i+1]]
}

// parquetScan reads the wanted columns of all groups of rows, column beside column on all cores.
type parquetScan struct {
	table   *parquetTable
	job     *job
	wanted  []int // fields: the features, then the target if there is one
	rows    int   // of a chunk at most
	columns []parquetColumn
	group   int // next one
	left    int // rows of the group before it
}

func (s *parquetScan) close() {
	for p := range s.columns {
		s.columns[p].close()
	}
}

// begin goes to the group that holds a row, and returns the first row of that.
func (s *parquetScan) begin(row int) (before int) {
	for groups := s.table.parquet.RowGroups(); s.group < len(groups); s.group++ {
		n := int(groups[s.group].NumRows())
		if before+n > row {
			break
		}
		before += n
	}
	return before
}

// fill reads a chunk of rows of one group.
func (s *parquetScan) fill(c *chunk, first int) (int, error) {
	groups := s.table.parquet.RowGroups()
	for s.left == 0 {
		if s.group == len(groups) {
			return 0, nil
		}
		g, meta := groups[s.group], &s.table.parquet.Metadata().RowGroups[s.group]
		s.group++
		if s.left = int(g.NumRows()); s.left == 0 {
			continue
		}
		chunks := g.ColumnChunks()
		err := guarded(s.table.file.name, func() error {
			for p, f := range s.wanted {
				leaf := s.table.leaf[f]
				s.columns[p].begin(chunks[leaf].Pages(), newBooleanPages(s.table, &meta.Columns[leaf].MetaData, s.table.there[f] > 0), s.table.walk(&meta.Columns[leaf].MetaData, g.NumRows()))
			}
			return nil
		})
		if err != nil {
			return 0, err
		}
	}
	n := min(s.rows, s.left)
	s.left -= n
	failed := make([]error, len(s.columns))
	linalg.Parallel(len(s.columns), func(p int) {
		failed[p] = guarded(s.table.file.name, func() error { return s.columns[p].read(n) })
	})
	if at := slices.IndexFunc(failed, func(err error) bool { return err != nil }); at >= 0 {
		return 0, failed[at]
	}
	s.place(c, first, n)
	return n, nil
}

// place puts the rows that the columns have read into a chunk, row after row.
func (s *parquetScan) place(c *chunk, first, n int) {
	k := len(s.job.features)
	c.room(s.job, first, n)
	c.levels = make([][]string, k)
	for p := range k {
		c.levels[p] = s.columns[p].words.names
	}
	if c.y = c.y[:0]; k < len(s.columns) {
		c.y, c.yLevels = append(c.y, s.columns[k].out[:n]...), s.columns[k].words.names
	}
	const tile = 64 // rows that stay in the first cache while all columns are put into them
	linalg.Parallel((n+16*tile-1)/(16*tile), func(part int) {
		end := min((part+1)*16*tile, n)
		for from := part * 16 * tile; from < end; from += tile {
			to := min(from+tile, end)
			for p := range k {
				at := from*k + p
				for _, v := range s.columns[p].out[from:to] {
					c.x[at] = v
					at += k
				}
			}
		}
	})
}
