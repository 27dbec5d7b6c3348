package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/output"
	"github.com/inlier-ml/inlier/report"
)

// checkRequest is what the flags of the command say.
type checkRequest struct {
	inlier.Check
	as, sentinels        []string
	out, choices, memory string
}

func checkCommand(a *app) *cobra.Command {
	var r checkRequest
	c := &cobra.Command{
		Use:   "check DATA...",
		Short: "What is wrong in this file? Rows, cells, why, and what was expected",
		Long: `Read a table as people keep them, find the rows and cells that are wrong, say why and what would have
been expected. No flags are needed. DATA is delimited text of any kind and encoding (also .gz or zip),
a workbook, JSON lines, Parquet or what else inlier reads; several files and patterns are stacked.

Writes a folder, DATA.check unless --out names another: rows.csv (every row with its verdict),
cells.csv (suspicious cells with what was expected), report.html (one page for a person) and model.npz (what
was learned, for --against). The input is never changed. Exit code 0 whether or not something is
wrong; with --fail-above SHARE it is 3 when a larger share of rows is.`,
		Example: `  inlier check orders.csv
  inlier check orders.csv --repair
  inlier check new.csv --against orders.csv.check/model.npz --fail-above 0.02`,
		Args: arguments("DATA..."),
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("fail-above") {
				if r.FailAbove < 0 {
					return usage("it is a share of the rows, such as 0.02", "--fail-above %g is not allowed", r.FailAbove)
				}
				if r.FailAbove == 0 {
					r.FailAbove = -1 // any
				}
			}
			return a.check(c.Context(), args, r)
		},
	}
	bounded(c, &r.memory)
	f := c.Flags()
	f.StringVar(&r.Target, "target", "", "column whose labels or values are held against the rest of their rows")
	f.StringVar(&r.ID, "id", "", "column that names the rows (default: found out)")
	f.StringVar(&r.Against, "against", "", "model.npz of an earlier check: its rows say what is right")
	f.Float64Var(&r.Expect, "expect", 0, "share of wrong rows where it is known (default: found out)")
	f.Float64Var(&r.FailAbove, "fail-above", 0, "exit with 3 when a larger share of the rows is wrong")
	f.BoolVar(&r.Repair, "repair", false, "also write repaired.csv: the input with wrong cells replaced, and changes.csv")
	f.StringVar(&r.choices, "choices", "", "CSV with row, column and choice (keep, drop, repair, empty): repair this and nothing else")
	f.StringVarP(&r.out, "out", "o", "", "folder to write (default: DATA.check)")
	f.StringArrayVar(&r.as, "as", nil, "what a column is: COLUMN=number, date, boolean, category, id, text, ignored (left out), or dmy, mdy, ymd (dates in that order); may be repeated")
	f.StringArrayVar(&r.Missing, "missing", nil, "a further mark of missing values; may be repeated")
	f.StringSliceVar(&r.sentinels, "sentinel", nil, "numbers that mean a missing value, or none for: no number does (default: found out)")
	f.StringVar(&r.Header, "header", "", "whether a text file starts with column names: yes or no (default: found out)")
	f.StringVar(&r.Delimiter, "delimiter", "", "what separates fields: a character, tab, space, comma or semicolon (default: found out)")
	f.StringVar(&r.Decimal, "decimal", "", "decimal mark of numbers: comma or point (default: found out for every column)")
	f.StringVar(&r.DateOrder, "date-order", "", "order of dates such as 03/04/2024: dmy, mdy or ymd (default: found out)")
	f.StringVar(&r.Encoding, "encoding", "", "utf-8, utf-16le, utf-16be or windows-1252 (default: found out)")
	f.StringVar(&r.Sheet, "sheet", "", "sheet of a workbook, by name or number from 1 (default: the first with data)")
	f.IntVar(&r.Limit, "limit", 0, "read at most so many rows")
	f.BoolVar(&r.Trust, "trust", false, "lift the limits on what a packed file may grow to and how long a line may be")
	for name, words := range map[string][]string{"header": {"yes", "no"}, "decimal": {"comma", "point"}, "date-order": {"dmy", "mdy", "ymd"}, "delimiter": {"tab", "space", "comma", "semicolon"}} {
		_ = c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	}
	return c
}

// complete reads the flags that are lists of texts.
func (r *checkRequest) complete(a *app, args []string) (err error) {
	r.Paths, r.Seed = args, a.seed
	for _, path := range args {
		if path == "-" {
			r.Reader = a.in
			if err := a.standardInput(path); err != nil {
				return err
			}
		}
	}
	if r.choices != "" {
		var err error
		if r.Choices, err = inlier.ReadChoices(r.choices); err != nil {
			return err
		}
		r.Repair = true
	}
	r.As = map[string]string{}
	for _, text := range r.as {
		column, kind, err := tolerant.ParseAs(text)
		if err != nil {
			return err
		}
		r.As[column] = kind.String()
	}
	for _, text := range r.sentinels {
		if text == "none" {
			r.NoSentinels = true
			continue
		}
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return usage("it is a number, or none", "--sentinel %s is not allowed", text)
		}
		r.Sentinels = append(r.Sentinels, v)
	}
	if r.out == "" {
		r.out = "check"
		if args[0] != "-" {
			r.out = file.Local(args[0]) + ".check"
		}
		if len(args) > 1 {
			r.out = filepath.Join(filepath.Dir(file.Local(args[0])), "check")
		}
	}
	r.Memory, err = a.bound(r.memory)
	return err
}

// checkFile is a file of the folder.
type checkFile struct {
	path  string
	kind  kind
	write func(io.Writer) error
}

func (a *app) check(ctx context.Context, args []string, r checkRequest) error {
	if err := r.complete(a, args); err != nil {
		return err
	}
	if err := r.Check.Check(); err != nil {
		return err
	}
	a.reads(append(args, r.Against, r.choices)...)
	_, absent := os.Stat(r.out)
	if info, err := os.Stat(r.out); err == nil && !info.IsDir() {
		return usage("give the name of a folder with --out", "%s is a file; a folder is meant", r.out)
	}
	for _, f := range r.files(nil, nil) { // before any work is done
		if err := a.files.SparesInputs("--out", f.path); err != nil {
			return err
		}
		if absent == nil {
			if err := a.plans("--out", f.path, f.kind); err != nil {
				return err
			}
		}
	}
	watch, done := a.observe("check")
	defer done()
	result, err := r.Check.Run(ctx, watch)
	if err != nil {
		return err
	}
	watch(inlier.Event{Phase: "write", Label: "draw", Total: 1})
	page, err := result.Page(ctx).HTML()
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := makeFolder(r.out); err != nil {
		return err
	}
	files := r.files(result, page)
	if err := a.writeCheck(ctx, files, 0, watch); err != nil {
		if absent != nil { // whole or nothing
			for _, f := range files {
				os.Remove(f.path)
			}
			os.Remove(r.out)
		}
		return err
	}
	for _, f := range files {
		result.Written(f.path)
	}
	done()
	a.blocks(result.Memory)
	if err := a.showCheck(result, r.out); err != nil {
		return err
	}
	if result.Failed {
		return &failedCheck{len(result.WrongRows), result.Rows, r.FailAbove}
	}
	return nil
}

// writeCheck writes the files from one on. Each stays aside until all that follow are written too, so that an
// interruption leaves either all of them or what was there before.
func (a *app) writeCheck(ctx context.Context, files []checkFile, from int, watch inlier.Observer) error {
	if from == len(files) {
		return ctx.Err()
	}
	f := files[from]
	watch(inlier.Event{Phase: "write", Label: "write " + filepath.Base(f.path), Part: float64(from+1) / float64(len(files)+1), Total: 1})
	return a.write(ctx, f.path, f.kind, func(w io.Writer) error {
		if err := f.write(w); err != nil {
			return err
		}
		return a.writeCheck(ctx, files, from+1, watch)
	})
}

// files are what the folder will hold; without a result, what may be replaced there.
func (r *checkRequest) files(result *inlier.CheckResult, page []byte) (list []checkFile) {
	kinds := map[string]kind{"report.html": pictureFile("report.html"), "model.npz": modelFile, "repaired.csv": r.ours()}
	for _, f := range result.Folder(r.Repair, page) {
		if f.Columns != nil {
			kinds[f.Name] = tableFile(f.Name, f.Columns)
		}
		list = append(list, checkFile{filepath.Join(r.out, f.Name), kinds[f.Name], f.Write})
	}
	return list
}

// ours is a repaired file: data carry no mark, but the page beside them does.
func (r *checkRequest) ours() kind {
	return output.Kind{Name: "a repaired table beside the page of a check", Is: func(*os.File, int64) bool {
		page, err := os.Open(filepath.Join(r.out, "report.html"))
		if err != nil {
			return false
		}
		defer page.Close()
		info, err := page.Stat()
		return err == nil && report.Made(page, info.Size()) != ""
	}}
}

// failedCheck ends a run in which too many rows are wrong.
type failedCheck struct {
	wrong, rows int
	above       float64
}

func (e *failedCheck) Error() string {
	return fmt.Sprintf("%d of %s wrong, more than the share of %g that --fail-above allows", e.wrong, plural(e.rows, "row"), max(0, e.above))
}
