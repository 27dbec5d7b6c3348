package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// tour are the commands that README shows in its tour, each with the lines below it.
func tour(t *testing.T) (commands []string, shown map[string][]string) {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	shown = map[string][]string{}
	now := ""
	for line := range strings.Lines(string(text)) {
		line, indented := strings.CutPrefix(strings.TrimRight(line, "\n"), "    ")
		command, typed := strings.CutPrefix(line, "$ inlier ")
		switch {
		case !indented && line != "":
			now = ""
		case typed:
			now = command
			commands = append(commands, now)
		case indented && now != "" && line != "...":
			shown[now] = append(shown[now], line)
		}
	}
	return commands, shown
}

// What README's tour shows is what the program prints. Tables have fewer digits on a terminal
// than in a file: of them the last column is compared.
func TestReadmeTour(t *testing.T) {
	commands, shown := tour(t)
	if len(commands) < 3 {
		t.Fatalf("README shows %d commands", len(commands))
	}
	t.Chdir(t.TempDir())
	for _, command := range commands {
		var out bytes.Buffer
		if code := run(strings.Fields(command), strings.NewReader(""), &out, &out); code != 0 {
			t.Fatalf("inlier %s ends with %d: %s", command, code, out.String())
		}
		compared := 0
		for _, line := range shown[command] {
			if at := strings.Index(line, "="); strings.HasPrefix(command, "outliers") && at >= 0 {
				line = strings.Join(strings.Fields(line)[1:], " ")
			} else if strings.HasPrefix(command, "outliers") {
				continue
			}
			compared++
			if !strings.Contains(out.String(), line) {
				t.Errorf("inlier %s does not print %q", command, line)
			}
		}
		if compared == 0 {
			t.Errorf("nothing of inlier %s is compared", command)
		}
	}
}
