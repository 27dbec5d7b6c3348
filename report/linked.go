package report

import (
	"embed"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
)

// Linked are pictures of rows that are brushed together: rows that are selected in one are selected in the others and in a list.
// Without a script nothing is shown; see [Section.Still].
type Linked struct {
	About  any    // what the pictures draw, as the script in linked/page.js reads it
	Points []byte // columns of 4-byte numbers
}

// LinkedFiles are the scripts and the style of linked pictures, for pages that load them as modules. Pages of this package hold
// them within.
//
//go:embed linked
var LinkedFiles embed.FS

// linkedOrder is the order of the scripts within a page: what is imported comes first.
var linkedOrder = []string{"dates.js", "board.js", "picture.js", "scatter.js", "histogram.js", "cells.js", "paths.js", "linked.js", "page.js"}

var (
	linkedStyle  = linkedFile("linked.css")
	linkedScript = oneScript()
)

func linkedFile(name string) string {
	content, err := LinkedFiles.ReadFile("linked/" + name)
	if err != nil {
		panic(err) // it is part of the program
	}
	return string(content)
}

// oneScript puts the modules into one function, without their imports and exports.
func oneScript() string {
	var out strings.Builder
	out.WriteString("\"use strict\";\n(() => {\n")
	for _, name := range linkedOrder {
		for line := range strings.Lines(linkedFile(name)) {
			if !strings.HasPrefix(line, "import ") {
				out.WriteString(strings.TrimPrefix(line, "export "))
			}
		}
	}
	out.WriteString("})();\n")
	return out.String()
}

func (l *Linked) block() (string, error) {
	about, err := json.Marshal(l.About) // < and > are written as \u003c and \u003e
	if err != nil {
		return "", err
	}
	return `<div class="linked"><script type="application/json">` + string(about) + `</script><script type="text/plain">` +
		base64.StdEncoding.EncodeToString(l.Points) + "</script></div>\n", nil
}

// linked tells whether the page has such pictures.
func (p *Page) linked() bool {
	return slices.ContainsFunc(p.Sections, func(s Section) bool {
		return slices.ContainsFunc(s.Blocks, func(b Block) bool { _, is := b.(*Linked); return is })
	})
}
