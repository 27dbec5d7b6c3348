package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/inlier-ml/inlier"
)

// An interruption while a check is written leaves the files of the check before as they were: never
// some of the one and some of the other.
func TestCheckWritesAllOrNothing(t *testing.T) {
	folder := t.TempDir()
	names := []string{"rows.csv", "cells.csv", "report.html"}
	for stop := range len(names) + 1 {
		ctx, cancel := context.WithCancel(context.Background())
		var files []checkFile
		for k, name := range names {
			path := filepath.Join(folder, name)
			if err := os.WriteFile(path, []byte("old"), 0o666); err != nil {
				t.Fatal(err)
			}
			files = append(files, checkFile{path, anyFile, func(w io.Writer) error {
				if k == stop {
					cancel()
				}
				_, err := io.WriteString(w, "new")
				return err
			}})
		}
		parts := 0.0
		err := (&app{}).writeCheck(ctx, files, 0, func(e inlier.Event) {
			if e.Part <= parts || e.Part >= 1 {
				t.Errorf("progress of %g after %g", e.Part, parts)
			}
			parts = e.Part
		})
		cancel()
		want := "old"
		if stop == len(names) {
			want = "new"
		}
		if (err == nil) != (want == "new") || err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("interrupted at file %d: %v", stop, err)
		}
		if left := entries(t, folder); len(left) != len(names) {
			t.Errorf("interrupted at file %d it left %v", stop, left)
		}
		for _, f := range files {
			if text, err := os.ReadFile(f.path); err != nil || string(text) != want {
				t.Errorf("interrupted at file %d, %s is %q: %v", stop, f.path, text, err)
			}
		}
	}
}
