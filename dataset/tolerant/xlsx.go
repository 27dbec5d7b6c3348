package tolerant

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/memory"
	"github.com/inlier-ml/inlier/internal/words"
)

// workbook is an Excel file (Office Open XML), of which one sheet is read.
type workbook struct {
	name    string
	archive *zip.Reader
	left    int64 // bytes that may still be unpacked
	sheets  []sheet
	since   int // day that 0 is: 1899-12-30 or 1904-01-01, as days since 1970
	dates   []dateStyle
	shared  []string
	unknown int // formulas without a value
	hidden  int // rows that the sheet does not show
	filled  int // cells that merged ones stand for
}

func formulasHave(n int) string {
	if n == 1 {
		return "1 formula has"
	}
	return words.Plural(n, "formula") + " have"
}

func countRows(n int) string { return words.Plural(n, "row") + " " + words.Are(n) }

type sheet struct {
	name, relation, part string
	hidden               bool
}

// coverRows is the number of rows below which a sheet is taken for a cover, if another has more.
const coverRows = 3

// openWorkbook opens the first sheet that has data, hidden ones and covers last, or the one that is asked for.
func openWorkbook(ctx context.Context, d document, o *Options) (*piece, error) {
	archive, err := zip.NewReader(bytes.NewReader(d.data), int64(len(d.data)))
	if err != nil {
		return nil, &dataset.InputError{File: d.name, Problem: "the workbook is damaged or cut off", Err: err}
	}
	b := &workbook{name: d.name, archive: archive, left: min(o.growth(len(d.data)), memory.Free()), since: daysSince1970(1899, 12, 30)}
	if err := b.open(ctx); err != nil {
		return nil, err
	}
	chosen := slices.Clone(b.sheets)
	slices.SortStableFunc(chosen, func(a, b sheet) int {
		if a.hidden == b.hidden {
			return 0
		} else if a.hidden {
			return 1
		}
		return -1
	})
	if o.Sheet != "" {
		if chosen, err = b.choose(o.Sheet); err != nil {
			return nil, err
		}
	}
	var cover *piece
	var refused error
	for _, s := range chosen {
		b.unknown = 0
		w, err := b.read(ctx, s, o)
		if err != nil {
			return nil, err
		}
		if w.rows() == 0 {
			continue
		}
		p, err := w.table(o)
		if err != nil {
			refused = cmp.Or(refused, err)
			continue
		}
		if n := b.unknown; n > 0 {
			p.remark("Let the spreadsheet program compute them and save again.", "%s no value in the file.", formulasHave(n))
		}
		if n := b.filled; n > 0 {
			p.remark("", "%s part of merged ones and hold what these do.", countCells(n))
		}
		if n := b.hidden; n > 0 {
			p.remark("", "%s hidden in the sheet; they were read like the others.", countRows(n))
		}
		if others := b.others(s.name); len(others) > 0 {
			p.remark("--sheet names another.", "Sheet %q was read; the workbook has also %s.", s.name, words.Names(others))
		}
		if p.rows >= coverRows || len(chosen) == 1 {
			return p, nil
		}
		cover = cmp.Or(cover, p)
	}
	if cover != nil {
		return cover, nil
	}
	if refused != nil {
		return nil, refused
	}
	return nil, dataset.Problem(d.name, "the workbook has no rows")
}

func (b *workbook) others(name string) []string {
	var others []string
	for _, s := range b.sheets {
		if s.name != name {
			others = append(others, s.name)
		}
	}
	return others
}

func (b *workbook) choose(wanted string) ([]sheet, error) {
	for k, s := range b.sheets {
		if s.name == wanted || strconv.Itoa(k+1) == wanted {
			return []sheet{s}, nil
		}
	}
	return nil, dataset.In("sheet", dataset.Problem(b.name, "there is no sheet %q; the workbook has %s", wanted, words.Names(b.others(""))))
}

// part opens a file of the archive; nil where there is none.
func (b *workbook) part(name string) (io.ReadCloser, error) {
	for _, f := range b.archive.File {
		if strings.EqualFold(strings.TrimPrefix(f.Name, "/"), name) {
			if f.UncompressedSize64 > uint64(max(b.left, 0)) { // a part that says less than it holds is stopped on the way
				return nil, b.tooLarge()
			}
			in, err := f.Open()
			if err != nil {
				return nil, &dataset.InputError{File: b.name, Problem: "the workbook cannot be unpacked: " + err.Error(), Err: err}
			}
			return in, nil
		}
	}
	return nil, nil
}

func (b *workbook) tooLarge() error {
	return dataset.Problem(b.name, "the workbook unpacks to more than is allowed").WithHint(lift)
}

// each goes through the tags of a part.
func (b *workbook) each(ctx context.Context, name string, visit func(m *markup, text []byte) error) error {
	in, err := b.part(name)
	if err != nil || in == nil {
		return err
	}
	defer in.Close()
	m := newMarkup(&rationed{ctx: ctx, in: in, book: b})
	for {
		text, ok := m.next()
		if !ok {
			break
		}
		if err := visit(m, text); err != nil {
			return err
		}
	}
	if m.failed != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if input, ok := m.failed.(*dataset.InputError); ok {
			return input
		}
		return &dataset.InputError{File: b.name, Problem: "the workbook is damaged: " + m.failed.Error(), Err: m.failed}
	}
	return nil
}

// rationed ends with the context, and stops a workbook that unpacks to more than is allowed.
type rationed struct {
	ctx  context.Context
	in   io.Reader
	book *workbook
}

func (r *rationed) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.in.Read(p)
	if r.book.left -= int64(n); r.book.left < 0 {
		return 0, r.book.tooLarge()
	}
	return n, err
}

// open reads the list of sheets, the texts that sheets share and which styles are dates.
func (b *workbook) open(ctx context.Context) error {
	err := b.each(ctx, "xl/workbook.xml", func(m *markup, _ []byte) error {
		switch string(m.name) {
		case "sheet":
			if m.closes {
				break
			}
			b.sheets = append(b.sheets, sheet{name: plain(m.attribute("name")), relation: string(m.attribute("id")), hidden: strings.HasSuffix(strings.ToLower(string(m.attribute("state"))), "hidden")})
		case "workbookPr":
			if v := string(m.attribute("date1904")); v == "1" || v == "true" {
				b.since = daysSince1970(1904, 1, 1)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	targets := map[string]string{}
	err = b.each(ctx, "xl/_rels/workbook.xml.rels", func(m *markup, _ []byte) error {
		if string(m.name) == "Relationship" {
			target := plain(m.attribute("Target"))
			if strings.HasPrefix(target, "/") {
				target = target[1:]
			} else {
				target = path.Join("xl", target)
			}
			targets[string(m.attribute("Id"))] = target
		}
		return nil
	})
	for k := range b.sheets {
		if b.sheets[k].part = targets[b.sheets[k].relation]; b.sheets[k].part == "" {
			b.sheets[k].part = sprintf("xl/worksheets/sheet%d.xml", k+1)
		}
	}
	if err == nil {
		err = b.readShared(ctx)
	}
	if err == nil {
		err = b.readStyles(ctx)
	}
	return err
}

// readShared reads the texts that cells refer to. Readings of characters (phonetic) are no part of them.
func (b *workbook) readShared(ctx context.Context) error {
	var text strings.Builder
	phonetic := false
	return b.each(ctx, "xl/sharedStrings.xml", func(m *markup, before []byte) error {
		switch string(m.name) {
		case "rPh":
			phonetic = !m.closes
		case "t":
			if m.closes && !phonetic {
				text.WriteString(plain(before))
			}
		case "": // text that was marked off whole
			text.Write(before)
		case "si":
			if m.closes || m.empty {
				b.shared = append(b.shared, text.String())
				text.Reset()
			}
		}
		return nil
	})
}

// table makes a piece of the rows of a sheet, as of delimited text.
func (w *writer) table(o *Options) (*piece, error) {
	b := w.body
	lines := b.numbered
	b.starts, b.numbered, b.line, b.columns, b.width = nil, nil, 1, o.maxColumns()+1, w.most
	l, err := b.findLayout(o)
	if err != nil {
		return nil, err
	}
	if err := b.index(l.body, o.Limit, 1<<40); err != nil {
		return nil, err
	}
	if len(b.starts) == 0 {
		return nil, dataset.Problem(b.name, "the sheet has column names but no rows").WithHint("give {header} no if the only line is a row")
	}
	numbered := make([]int, len(b.starts))
	for row := range numbered {
		_, line := b.place(row)
		numbered[row] = lines[line-1]
	}
	b.numbered = numbered
	p := &piece{name: b.name, text: b, rows: len(b.starts), names: l.names, named: l.header}
	p.describe(b, l, &Options{Delimiter: "given", Header: o.Header})
	return p, nil
}
