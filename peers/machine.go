package peers

import (
	"encoding/json"
	"os"
	"runtime"
	"strings"

	"github.com/inlier-ml/inlier/internal/version"
	"github.com/inlier-ml/inlier/linalg"
)

// Machine is where a run took place, and with which programs.
type Machine struct {
	System     string            `json:"system"`
	Processor  string            `json:"processor,omitempty"`
	Processors int               `json:"processors"`
	Threads    int               `json:"threads"`
	Rounds     int               `json:"rounds"`
	Quick      bool              `json:"quick,omitempty"`
	Inlier     string            `json:"inlier"`
	Kernel     string            `json:"kernel"`
	Versions   map[string]string `json:"versions"`    // of the other programs; empty: not installed
	LoadBefore string            `json:"load_before"` // averages over 1, 5 and 15 minutes; empty: not told
	LoadAfter  string            `json:"load_after"`
}

func (r *run) machine() Machine {
	m := Machine{System: runtime.GOOS + " " + runtime.GOARCH, Processor: processor(), Processors: runtime.NumCPU(), Threads: r.Threads, Rounds: r.Rounds, Quick: r.Quick,
		Inlier: version.String(), Kernel: linalg.Backend(), Versions: map[string]string{}, LoadBefore: load()}
	for language, name := range map[string]string{"python": "Python", "R": "R"} {
		m.Versions[name] = ""
		command, missing := r.script(language, "about")
		if missing != "" {
			continue
		}
		output, _, err := r.process(r.ctx, append(command, "threads=1"))
		var told map[string]string
		if err != nil || json.Unmarshal([]byte(lastLine(string(output))), &told) != nil {
			continue
		}
		for name, version := range told {
			m.Versions[name] = version
		}
	}
	return m
}

// load are the averages that Linux tells.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if fields := strings.Fields(string(text)); err == nil && len(fields) > 2 {
		return strings.Join(fields[:3], " ")
	}
	return ""
}

// processor is its name, where Linux tells it.
func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
