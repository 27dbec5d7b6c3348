package tolerant

import (
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/spill"
)

// Options say what the user knows better. The zero value finds everything out.
type Options struct {
	As          map[string]Kind // what columns are, by name or number from 1
	Usual       map[string]Kind // what columns are where As says nothing, by name; those that are not there are passed over
	Like        []Column        // of an earlier table: as they are written where this one does not tell
	Names       []string        // that columns are expected to have: a first line that holds them is the header, whatever it looks like
	InOrder     bool            // a table that names no columns, and has as many, has these Names in their order
	Missing     []string        // further marks of missing values
	Sentinels   []float64       // numbers that mean a missing value wherever they stand
	NoSentinels bool            // numbers such as -999 are values, unless Sentinels names them

	Header    string // "yes", "no"; empty: found out
	Delimiter string // one character, "tab", "space", "comma", "semicolon"; empty: found out
	Decimal   string // "comma", "point"; empty: found out for every column
	DateOrder string // "dmy", "mdy" for dates such as 03/04/2024, "ymd" for 24-01-31; empty: found out for every column
	Encoding  string // "utf-8", "utf-16le", "utf-16be", "windows-1252"; empty: found out
	Sheet     string // of a workbook, by its name or number from 1; empty: the first that has data

	FS         fs.FS     // where the paths lead, separated by slashes; nil: the machine's own files
	Input      io.Reader // read for the path "-"; nil: standard input
	InputName  string    // of the Input, for people; empty: standard input
	Limit      int       // rows to read at most; 0: all
	MaxColumns int       // 0: 2^17
	Trust      bool      // lifts the limits on what a packed file may grow to and how long a line may be

	// Room is where text and numbers are kept that are too large for memory, beside sheets and JSON; nil: all are in memory.
	Room *spill.Room

	// Progress is told how much of the work is done, in bytes of what is read; may be nil. It is
	// called from one goroutine at a time.
	Progress func(done, total int64)
}

// kinds are the names of kinds, as they stand in [Options] and reports.
var kinds = [...]string{"empty", "number", "date", "boolean", "category", "id", "text", "ignored", "dmy", "mdy", "ymd"}

// namedKinds are those that a column can be told to have, for people.
const namedKinds = "number, date, dmy, mdy or ymd (dates in that order), boolean, category, id, text or ignored"

// String is the name of the kind.
func (k Kind) String() string {
	if k < 0 || int(k) >= len(kinds) {
		return fmt.Sprintf("kind %d", int(k))
	}
	return kinds[k]
}

// ParseKind reads the name of a kind that a column can be told to have.
func ParseKind(text string) (Kind, error) {
	for k, name := range kinds {
		if k > 0 && strings.EqualFold(name, text) {
			return Kind(k), nil
		}
	}
	return 0, dataset.In("as", dataset.Problem("", "%q is no kind of column; it can be %s", text, namedKinds))
}

// ParseAs reads "COLUMN=KIND".
func ParseAs(text string) (column string, kind Kind, err error) {
	at := strings.LastIndexByte(text, '=')
	if at <= 0 {
		return "", 0, dataset.In("as", dataset.Problem("", "%q does not say what a column is", text).WithHint("write {as} COLUMN="+namedKinds))
	}
	kind, err = ParseKind(text[at+1:])
	return text[:at], kind, err
}

func (o *Options) check() error {
	one := func(name, value string, allowed ...string) error {
		for _, a := range append(allowed, "") {
			if value == a {
				return nil
			}
		}
		return dataset.In(name, dataset.Problem("", "%s is %q; it can be %s", name, value, strings.Join(allowed, ", ")))
	}
	for _, err := range []error{
		one("header", o.Header, "yes", "no"),
		one("decimal", o.Decimal, "comma", "point"),
		one("date-order", o.DateOrder, "dmy", "mdy", "ymd"),
		one("encoding", o.Encoding, "utf-8", "utf-16le", "utf-16be", "windows-1252"),
	} {
		if err != nil {
			return err
		}
	}
	if o.Limit < 0 {
		return dataset.In("limit", dataset.Problem("", "limit is %d; it is a number of rows", o.Limit))
	}
	if o.MaxColumns < 0 {
		return dataset.Problem("", "limits cannot be negative")
	}
	return nil
}

func (o *Options) maxColumns() int {
	if o.MaxColumns > 0 {
		return o.MaxColumns
	}
	return 1 << 17
}
