package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/internal/output"
	"github.com/inlier-ml/inlier/report"
)

func exportCommand(a *app) *cobra.Command {
	var job inlier.Export
	var path string
	c := &cobra.Command{
		Use:   "export MODEL --onnx FILE",
		Short: "Write a model as ONNX, for programs and services that run such files",
		Long: `Write a model as ONNX (operator set 17), which ONNX Runtime and others run without Inlier.

The graph takes the numeric columns of a row as X, each text column that the model has coded as an input of its own, and
computes what the model would: scores, reconstruction, distances and the verdict of a subspace; predictions; scores,
probabilities and labels. Any number of rows can be asked at a time. Names of columns and classes are in the metadata.
Rows must be complete: one with a number that is missing or infinite has NaN for numbers, no label (-1) and is an outlier,
also where the model itself could fill it in.`,
		Example: `  inlier export sales.npz --onnx sales.onnx
  inlier export digits.npz --onnx digits.onnx --float32`,
		Args: arguments("MODEL"),
		RunE: func(c *cobra.Command, args []string) error {
			if path == "" {
				return usage("inlier export MODEL --onnx FILE", "no file is named to write to")
			}
			var err error
			if job.Model, err = a.model(args[0]); err != nil {
				return err
			}
			a.reads(args[0])
			if err := a.plans("--onnx", path, output.ONNXFile); err != nil {
				return err
			}
			result, err := job.Run(c.Context(), nil)
			if err != nil {
				return err
			}
			if err := a.write(c.Context(), path, output.ONNXFile, func(w io.Writer) error { _, err := w.Write(result.Content); return err }); err != nil || path == "-" {
				return err
			}
			if a.json {
				return a.printJSON(struct {
					*inlier.ExportResult
					File string `json:"file"`
				}{result, path})
			}
			fmt.Fprintf(a.out, "%s as ONNX: %s (%s)\n\n", result.Method, path, size(int64(result.Bytes)))
			return a.exported(result)
		},
	}
	c.Flags().StringVar(&path, "onnx", "", "file to write; - is standard output")
	c.Flags().BoolVar(&job.Float32, "float32", false, "numbers of 32 bits enter and leave; inside the graph has 64")
	return c
}

// exported lists inputs and outputs.
func (a *app) exported(r *inlier.ExportResult) error {
	t := &report.Table{Columns: []report.Column{{Name: ""}, {Name: "name"}, {Name: "holds"}, {Name: "meaning"}}}
	for k, list := range [][]inlier.ExportTensor{r.Inputs, r.Outputs} {
		for _, e := range list {
			holds := e.Element
			if e.Columns > 0 {
				holds = fmt.Sprintf("%s, %s", e.Element, plural(e.Columns, "column"))
			}
			t.Rows = append(t.Rows, []any{[]string{"input", "output"}[k], e.Name, holds, e.Meaning})
		}
	}
	return a.printTable(t, false)
}
