package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The command line is flags, text, a bar and exit codes; what else grows here belongs to the jobs.
func TestCommandLineIsSmall(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines += bytes.Count(text, []byte("\n"))
	}
	if lines < 1000 || lines >= 4000 {
		t.Errorf("%d lines; below 4000 are meant", lines)
	}
}

// In help, what stands for the value of a flag is one word: text in backquotes would be taken for it.
func TestValuesOfFlagsAreOneWord(t *testing.T) {
	flags := 0
	var look func(c *cobra.Command)
	look = func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			flags++
			if name, _ := pflag.UnquoteUsage(f); strings.Contains(name, " ") {
				t.Errorf("%s --%s %s", c.CommandPath(), f.Name, name)
			}
		})
		for _, below := range c.Commands() {
			look(below)
		}
	}
	look(newRoot(&app{}))
	if flags < 100 {
		t.Errorf("only %d flags", flags)
	}
}
