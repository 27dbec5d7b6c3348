package server

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/catalog"
)

// Table says which upload is meant, and how it is to be read where that should not be found out: the fields of
// inlier.Data that lead nowhere on this machine.
type Table struct {
	Upload       string            `json:"upload" doc:"The file" pattern:"^[0-9a-f]{16}$"`
	Target       string            `json:"target,omitempty" doc:"Column to learn or set apart, by name or number from 1"`
	Task         string            `json:"task,omitempty" enum:"class,regression" doc:"What the target is; empty: told by its values"`
	ID           string            `json:"id,omitempty" doc:"Column that names the rows; it is not learned from"`
	Columns      []string          `json:"columns,omitempty" doc:"Columns to use"`
	Drop         []string          `json:"drop,omitempty" doc:"Columns to leave out"`
	Categorical  string            `json:"categorical,omitempty" enum:"ordinal,onehot" doc:"How text columns become numbers; empty refuses them"`
	Text         []string          `json:"text,omitempty" doc:"Columns that hold categories although they look like numbers"`
	Shape        string            `json:"shape,omitempty" doc:"Shape of a row that is an image or tensor, such as 64x64"`
	Resize       string            `json:"resize,omitempty" doc:"Scale every image to this width x height"`
	Gray         bool              `json:"gray,omitempty" doc:"Turn colour images into grey ones"`
	Format       string            `json:"format,omitempty" doc:"Where the content misleads"`
	Header       string            `json:"header,omitempty" enum:"yes,no" doc:"Whether a text file starts with column names"`
	Delimiter    string            `json:"delimiter,omitempty" doc:"What separates the fields of a text file"`
	DecimalComma bool              `json:"decimal_comma,omitempty" doc:"Read 3,14 as a number"`
	Constant     string            `json:"constant,omitempty" enum:"refuse,keep" doc:"Named columns that never change"`
	Limit        int               `json:"limit,omitempty" minimum:"0" doc:"Read at most so many rows"`
	Precision    string            `json:"precision,omitempty" enum:"single,double" doc:"single: a fit holds the table rounded to seven digits, in half the memory"`
	Tolerant     bool              `json:"tolerant,omitempty" doc:"Read any writing of numbers and dates, workbooks, JSON, as a check does"`
	As           map[string]string `json:"as,omitempty" doc:"What columns are: number, date, dmy, mdy, ymd, boolean, category, id, text, ignored"`
	Sheet        string            `json:"sheet,omitempty" doc:"Of a workbook, by its name or number from 1"`
	Decimal      string            `json:"decimal,omitempty" enum:"comma,point" doc:"Read tolerantly, the mark before decimals; empty: found out"`
	Encoding     string            `json:"encoding,omitempty" doc:"Read tolerantly, that of the text; empty: found out"`
}

// data is the request of the job behind.
func (t Table) data(path string) inlier.Data {
	return inlier.Data{
		Path: path, Target: t.Target, Task: t.Task, ID: t.ID, Columns: t.Columns, Drop: t.Drop, Categorical: t.Categorical, Text: t.Text,
		Shape: t.Shape, Resize: t.Resize, Gray: t.Gray, Format: t.Format, Header: t.Header, Delimiter: t.Delimiter, DecimalComma: t.DecimalComma,
		Constant: t.Constant, Limit: t.Limit, Precision: t.Precision, Tolerant: t.Tolerant, As: t.As, Sheet: t.Sheet, Decimal: t.Decimal, Encoding: t.Encoding,
	}
}

// CheckRequest asks what is wrong in an upload.
type CheckRequest struct {
	Upload  string  `json:"upload" pattern:"^[0-9a-f]{16}$"`
	Target  string  `json:"target,omitempty" doc:"Column whose labels or values are held against the rest of their rows"`
	ID      string  `json:"id,omitempty" doc:"Column that names the rows"`
	Against string  `json:"against,omitempty" pattern:"^([0-9a-f]{16})?$" doc:"An earlier check, whose rows say what is right"`
	Expect  float64 `json:"expect,omitempty" minimum:"0" exclusiveMaximum:"1" doc:"Share of wrong rows where it is known"`
	Repair  bool    `json:"repair,omitempty" doc:"Also make the file with wrong cells set right"`
	Seed    uint64  `json:"seed,omitempty"`

	Choices []inlier.Choice `json:"choices,omitzero" maxItems:"100000" doc:"What a repair does, in place of setting every wrong cell right: keep, drop, repair, empty"`

	As          map[string]string `json:"as,omitempty" doc:"What columns are: number, date, dmy, mdy, ymd, boolean, category, id, text, ignored"`
	Missing     []string          `json:"missing,omitempty" doc:"Further marks of missing values"`
	Sentinels   []float64         `json:"sentinels,omitempty" doc:"Numbers that mean a missing value"`
	NoSentinels bool              `json:"no_sentinels,omitempty" doc:"No number means a missing value"`
	Header      string            `json:"header,omitempty" enum:"yes,no"`
	Delimiter   string            `json:"delimiter,omitempty"`
	Decimal     string            `json:"decimal,omitempty" enum:"comma,point"`
	DateOrder   string            `json:"date_order,omitempty" enum:"dmy,mdy,ymd"`
	Encoding    string            `json:"encoding,omitempty"`
	Sheet       string            `json:"sheet,omitempty"`
	Limit       int               `json:"limit,omitempty" minimum:"0"`
}

func (c CheckRequest) job(path, against string) inlier.Check {
	return inlier.Check{
		Paths: []string{path}, Target: c.Target, ID: c.ID, Against: against, Expect: c.Expect, Repair: c.Repair || c.Choices != nil, Choices: c.Choices, Seed: seed(c.Seed),
		Reading: inlier.Reading{As: c.As, Missing: c.Missing, Sentinels: c.Sentinels, NoSentinels: c.NoSentinels, Header: c.Header, Delimiter: c.Delimiter,
			Decimal: c.Decimal, DateOrder: c.DateOrder, Encoding: c.Encoding, Sheet: c.Sheet, Limit: c.Limit},
	}
}

// FitRequest asks for a model.
type FitRequest struct {
	Name       string `json:"name,omitempty" maxLength:"200" doc:"What the model is to be called"`
	Method     string `json:"method,omitempty" doc:"As /methods names it; empty: the default"`
	Data       Table  `json:"data"`
	Parameters Values `json:"parameters,omitempty" doc:"Those that are not the defaults, as numbers or texts"`
	Loss       string `json:"loss,omitempty" doc:"Of methods that take one, such as huber:c=1.345"`
	Seed       uint64 `json:"seed,omitempty"`
	Along      bool   `json:"along,omitempty" doc:"Also fit along the scale of the loss, for pictures of how the votes of rows change"`
}

func (f FitRequest) job(path string) inlier.Fit {
	return inlier.Fit{Method: f.Method, Data: f.Data.data(path), Parameters: f.Parameters.texts(), Loss: f.Loss, Seed: seed(f.Seed)}
}

// CompareRequest asks for methods side by side.
type CompareRequest struct {
	Data       Table    `json:"data"`
	Methods    []string `json:"methods,omitempty" doc:"None: those that suit the data"`
	Parameters Values   `json:"parameters,omitempty" doc:"For every method that has them, as numbers or texts"`
	Corrupt    string   `json:"corrupt,omitempty" doc:"Dirty the data first, such as rows:0.2"`
	Repeats    int      `json:"repeats,omitempty" minimum:"0" maximum:"1000"`
	Test       float64  `json:"test,omitempty" minimum:"0" exclusiveMaximum:"1"`
	Group      string   `json:"group,omitempty"`
	Together   bool     `json:"together,omitempty"`
	Metric     string   `json:"metric,omitempty"`
	Tune       bool     `json:"tune,omitempty"`
	Seed       uint64   `json:"seed,omitempty"`
}

func (c CompareRequest) job(path string) inlier.Compare {
	return inlier.Compare{Data: c.Data.data(path), Methods: c.Methods, Parameters: c.Parameters.texts(), Corrupt: c.Corrupt, Repeats: c.Repeats, Test: c.Test,
		Group: c.Group, Together: c.Together, Metric: c.Metric, Tune: c.Tune, Seed: seed(c.Seed)}
}

// Values are parameters as JSON has them.
type Values map[string]any

// texts are the parameters as a command line would write them.
func (v Values) texts() catalog.Parameters {
	out := catalog.Parameters{}
	for name, value := range v {
		switch value := value.(type) {
		case string:
			out[name] = value
		case float64:
			out[name] = strconv.FormatFloat(value, 'g', -1, 64)
		default:
			out[name] = fmt.Sprint(value) // which its check refuses with the name
		}
	}
	return out
}

// seed is that of the command line where none is given, so that both make the same.
func seed(given uint64) uint64 {
	if given == 0 {
		return 1
	}
	return given
}

// command is a request as words of the command line. Zero values are left out.
type command []string

func (c *command) add(flag string, value any) {
	switch v := value.(type) {
	case string:
		if v != "" {
			*c = append(*c, flag, quoted(v))
		}
	case bool:
		if v {
			*c = append(*c, flag)
		}
	case []string:
		for _, one := range v {
			c.add(flag, one)
		}
	case map[string]string:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			c.add(flag, name+"="+v[name])
		}
	case []float64:
		for _, one := range v {
			*c = append(*c, flag, fmt.Sprint(one))
		}
	case int, uint64, float64:
		if text := fmt.Sprint(v); text != "0" {
			*c = append(*c, flag, text)
		}
	}
}

func (c command) String() string { return strings.Join(c, " ") }

// quoted is a word that a shell leaves as it is.
func quoted(text string) string {
	if text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/=:,+@%") == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// listed are names separated by commas, those with commas or quotation marks of their own in quotation marks.
func listed(names []string) string {
	if len(names) == 0 {
		return ""
	}
	var line strings.Builder
	w := csv.NewWriter(&line)
	_ = w.Write(names)
	w.Flush()
	return strings.TrimSuffix(line.String(), "\n")
}

// quotedFile is the name of a file, which is no flag.
func quotedFile(name string) string {
	if strings.HasPrefix(name, "-") {
		name = "./" + name
	}
	return quoted(name)
}

func (t Table) command(c *command) {
	c.add("--target", t.Target)
	c.add("--task", t.Task)
	c.add("--id", t.ID)
	c.add("--columns", listed(t.Columns))
	c.add("--drop", listed(t.Drop))
	c.add("--categorical", t.Categorical)
	c.add("--text", listed(t.Text))
	c.add("--shape", t.Shape)
	c.add("--resize", t.Resize)
	c.add("--gray", t.Gray)
	c.add("--format", t.Format)
	c.add("--header", t.Header)
	c.add("--delimiter", t.Delimiter)
	c.add("--decimal-comma", t.DecimalComma)
	c.add("--constant", t.Constant)
	c.add("--limit", t.Limit)
	c.add("--precision", t.Precision)
	c.add("--tolerant", t.Tolerant)
	c.add("--as", t.As)
	c.add("--sheet", t.Sheet)
	c.add("--decimal", t.Decimal)
	c.add("--encoding", t.Encoding)
}

// browsed changes what browsers change in the names of files they save, so that a command finds them.
var browsed = strings.NewReplacer(`"`, "_", "*", "_", ":", "_", "<", "_", ">", "_", "?", "_", `\`, "_", "|", "_")

// calledAs is what a file that a job about another file has made is called where it is downloaded.
func calledAs(about, file string) string {
	return browsed.Replace(strings.TrimSuffix(about, filepath.Ext(about))) + "-" + file
}

func (c CheckRequest) command(name string) string {
	words := command{"inlier", "check", quotedFile(name)}
	words.add("--target", c.Target)
	words.add("--id", c.ID)
	if c.Against != "" {
		words.add("--against", calledAs(name, "model.npz"))
	}
	words.add("--expect", c.Expect)
	words.add("--repair", c.Repair && c.Choices == nil)
	if c.Choices != nil {
		words.add("--choices", calledAs(name, "choices.csv"))
	}
	words.add("--seed", c.Seed)
	words.add("--as", c.As)
	words.add("--missing", c.Missing)
	words.add("--sentinel", c.Sentinels)
	if c.NoSentinels {
		words.add("--sentinel", "none")
	}
	words.add("--header", c.Header)
	words.add("--delimiter", c.Delimiter)
	words.add("--decimal", c.Decimal)
	words.add("--date-order", c.DateOrder)
	words.add("--encoding", c.Encoding)
	words.add("--sheet", c.Sheet)
	words.add("--limit", c.Limit)
	return words.String()
}

func (f FitRequest) command(name string) string {
	words := command{"inlier", "fit", cmp.Or(f.Method, catalog.Default()), quotedFile(name)}
	f.Data.command(&words)
	words.add("--loss", f.Loss)
	words.add("--set", map[string]string(f.Parameters.texts()))
	words.add("--seed", f.Seed)
	return words.String()
}

func (c CompareRequest) command(name string) string {
	words := command{"inlier", "compare", quotedFile(name)}
	c.Data.command(&words)
	words.add("--methods", strings.Join(c.Methods, ","))
	words.add("--set", map[string]string(c.Parameters.texts()))
	words.add("--corrupt", c.Corrupt)
	words.add("--repeats", c.Repeats)
	words.add("--test", c.Test)
	words.add("--group", c.Group)
	words.add("--together", c.Together)
	words.add("--metric", c.Metric)
	words.add("--tune", c.Tune)
	words.add("--seed", c.Seed)
	return words.String()
}
