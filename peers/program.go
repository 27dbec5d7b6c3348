package peers

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/internal/memory"
)

//go:embed peers.py
var scriptPython string

//go:embed peers.R
var scriptR string

// entrant is a program with its task.
type entrant struct {
	label   string
	missing string
	command []string
	after   []string // run once more, untimed, to get at the answer; of Inlier's models that predict
	answer  answer
	read    func(output []byte, whole said) (*said, error) // what it printed, beside the figures of the whole process
}

// said is what a program reports of itself.
type said struct {
	Seconds   float64 `json:"seconds"`
	Processor float64 `json:"processor"` // user and system, all threads added up
	Steps     int     `json:"steps"`
	Peak      int64   `json:"peak"`    // bytes; 0: not told
	Missing   string  `json:"missing"` // a library that is not installed
}

// execute runs a program to its end.
func (r *run) execute(e entrant) (*said, error) {
	ctx, cancel := context.WithTimeout(r.ctx, r.Limit)
	defer cancel()
	output, whole, err := r.process(ctx, e.command)
	if err == nil && len(e.after) > 0 {
		_, _, err = r.process(ctx, e.after)
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return nil, fmt.Errorf("took longer than %s", r.Limit)
	}
	if err != nil {
		return nil, err
	}
	told, err := e.read(output, whole)
	if err == nil && told.Peak == 0 {
		told.Peak = whole.Peak
	}
	return told, err
}

// process runs a command with the number of threads that its arguments name, and tells what the whole of it took.
func (r *run) process(ctx context.Context, command []string) ([]byte, said, error) {
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.WaitDelay = 2 * time.Second
	c.Dir = r.folder
	c.Env = os.Environ()
	for _, a := range command {
		if n, ok := strings.CutPrefix(a, "threads="); ok {
			for _, name := range []string{"OMP", "OPENBLAS", "MKL", "VECLIB_MAXIMUM", "NUMEXPR", "BLIS"} {
				c.Env = append(c.Env, name+"_NUM_THREADS="+n)
			}
			c.Env = append(c.Env, "POLARS_MAX_THREADS="+n, "VECLIB_MAXIMUM_THREADS="+n, "PYTHONWARNINGS=ignore")
		}
	}
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	began := time.Now()
	err := c.Start()
	if err != nil {
		return nil, said{}, err
	}
	ended, resident := make(chan bool), make(chan int64)
	go func() { resident <- memory.Watch(c.Process.Pid, ended) }()
	err = c.Wait()
	whole := said{Seconds: time.Since(began).Seconds()}
	close(ended)
	whole.Peak = <-resident
	if c.ProcessState != nil {
		whole.Processor = (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
		if whole.Peak == 0 {
			whole.Peak = memory.PeakOf(c.ProcessState)
		}
	}
	if err != nil {
		if last := lastLine(errs.String()); last != "" {
			err = fmt.Errorf("%w: %s", err, last[:min(len(last), 200)])
		}
	}
	return out.Bytes(), whole, err
}

// lastLine is where interpreters tell what went wrong.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// answerOf reads what a script prints: one line of JSON, the last.
func answerOf(output []byte, _ said) (*said, error) {
	var s said
	if err := json.Unmarshal([]byte(lastLine(string(output))), &s); err != nil {
		return nil, fmt.Errorf("its answer is no JSON: %q", lastLine(string(output)))
	}
	if s.Missing == "" && !(s.Seconds >= 0 && s.Processor >= 0 && s.Seconds+s.Processor > 0) {
		return nil, fmt.Errorf("its answer has no times: %q", lastLine(string(output)))
	}
	return &s, nil
}

// script is the command that runs a peer by its name; missing tells why there is none.
func (r *run) script(language, name string) (command []string, missing string) {
	program, file := r.Python, "peers.py"
	if language == "R" {
		program, file = r.R, "peers.R"
	}
	if _, err := exec.LookPath(program); err != nil {
		return nil, "not installed: " + program
	}
	return []string{program, filepath.Join(r.folder, file), name}, ""
}

// peer is another program with its task.
func (r *run) peer(t task, m *material, p catalog.Peer) entrant {
	e := entrant{label: p.Label, read: answerOf, answer: answer{path: filepath.Join(m.folder, p.Name+".answer.npy")}}
	if e.command, e.missing = r.script(p.Language, p.Name); e.missing != "" {
		return e
	}
	told := t.settings()
	maps.Copy(told, map[string]string{"data": m.data, "answer": e.answer.path, "threads": strconv.Itoa(t.threads), "seed": "1"})
	if m.test != "" {
		told["test"] = m.test
	}
	if t.Asks == catalog.AskProduct {
		maps.Copy(told, t.Params)
	}
	for _, key := range slices.Sorted(maps.Keys(told)) {
		e.command = append(e.command, key+"="+told[key])
	}
	return e
}

// ours is Inlier with its task.
func (r *run) ours(t task, m *material, method catalog.Entrant) entrant {
	e := entrant{label: strings.TrimSpace("Inlier " + method.Label)}
	if t.Asks != catalog.AskFit {
		e.label = "Inlier"
	}
	common := []string{"--json", "--quiet", "--threads", strconv.Itoa(t.threads)}
	switch t.Asks {
	case catalog.AskProduct:
		e.command = append([]string{r.Program, "bench", "kernel", "--size", t.Params["size"]}, common...)
		e.read = func(output []byte, whole said) (*said, error) { return productOf(output, method.Label, whole) }
		return e
	case catalog.AskCheck:
		out := filepath.Join(m.folder, "check")
		e.command = append([]string{r.Program, "check", m.data, "--out", out, "--force"}, common...)
		e.read = func(_ []byte, whole said) (*said, error) { return &whole, nil }
		e.answer = answer{path: filepath.Join(out, "rows.csv")}
		return e
	}
	model := filepath.Join(m.folder, method.Label+".npz")
	e.command = append([]string{r.Program, "fit", method.Method, m.data, "--out", model}, common...)
	settings := map[string]string{}
	maps.Copy(settings, method.Params)
	if t.Asks == catalog.AskFit {
		maps.Copy(settings, t.settings())
	}
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		e.command = append(e.command, "--set", key+"="+settings[key])
	}
	if m.target != "" {
		e.command = append(e.command, "--target", m.target)
		if t.Judged == "labels" {
			e.command = append(e.command, "--task", "class")
		}
	}
	e.read = func(output []byte, _ said) (*said, error) { return fitOf(output, t.Asks == catalog.AskRead) }
	e.answer = answer{path: model, array: t.Answer}
	if m.test != "" {
		e.answer = answer{path: filepath.Join(m.folder, method.Label+".predicted.npz"), array: predictions}
		e.after = []string{r.Program, "predict", model, m.test, "--out", e.answer.path, "--quiet", "--force"}
	}
	return e
}

// fitOf reads what `fit --json` prints: the times of the fit, or of the reading before it.
func fitOf(output []byte, reading bool) (*said, error) {
	var f struct {
		Steps         int     `json:"steps"`
		Reads         int     `json:"reads"`
		ReadSeconds   float64 `json:"read_seconds"`
		ReadProcessor float64 `json:"read_processor_seconds"`
		FitSeconds    float64 `json:"fit_seconds"`
		FitProcessor  float64 `json:"fit_processor_seconds"`
		Peak          int64   `json:"peak_memory_bytes"`
	}
	if err := json.Unmarshal(output, &f); err != nil {
		return nil, fmt.Errorf("its answer is no JSON: %w", err)
	}
	if reading {
		if f.Reads > 0 {
			return nil, fmt.Errorf("the table does not fit into memory and was read %d times in blocks", f.Reads)
		}
		return &said{Seconds: f.ReadSeconds, Processor: f.ReadProcessor, Peak: f.Peak}, nil
	}
	return &said{Seconds: f.FitSeconds, Processor: f.FitProcessor, Steps: f.Steps, Peak: f.Peak}, nil
}

// productOf reads what `bench kernel --json` prints: the best time of the product by Inlier's kernels.
func productOf(output []byte, product string, whole said) (*said, error) {
	var list []struct {
		Product, Kernel string
		Seconds         float64
	}
	if err := json.Unmarshal(output, &list); err != nil {
		return nil, fmt.Errorf("its answer is no JSON: %w", err)
	}
	s := said{Peak: whole.Peak}
	for _, p := range list {
		if strings.HasPrefix(p.Product, product) && p.Kernel != "gonum" && (s.Seconds == 0 || p.Seconds < s.Seconds) {
			s.Seconds = p.Seconds
		}
	}
	if s.Seconds == 0 {
		return nil, fmt.Errorf("there is no product %q", product)
	}
	s.Processor = s.Seconds // one thread
	return &s, nil
}
