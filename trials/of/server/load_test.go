package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/server"
)

// 200 clients ask a model of 784 columns and 50 components for the scores of single rows. The server is a process of its own, so that
// its processor time is told apart from the clients'. With INLIER_PEER, a Python with scikit-learn, the same
// requests go to bench/serve_peer.py as well, in turns.
func TestManyClients(t *testing.T) {
	long(t)
	ours := startServer(t, t.TempDir())
	c := &client{t: t, at: ours.at}
	draw := rand.New(rand.NewPCG(2, 2))
	row := func() []float64 {
		v := make([]float64, 784)
		for k := range v {
			v[k] = draw.NormFloat64()
		}
		return v
	}
	var b strings.Builder
	for range 1500 {
		fmt.Fprintln(&b, strings.Trim(strings.ReplaceAll(fmt.Sprintf("%.3f", row()), " ", ","), "[]"))
	}
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=wide.csv", b.String(), &u)
	var j server.Job
	c.must(202, "POST", "/api/v1/fits", server.FitRequest{Method: "pca", Data: server.Table{Upload: u.ID, Header: "no"}, Parameters: server.Values{"components": 50}}, &j)
	if j = c.ended(j.ID); j.State != server.Done {
		t.Fatalf("%+v", j)
	}
	bodies := [][]byte{}
	for range 16 {
		bodies = append(bodies, must(t, map[string]any{"rows": [][]float64{row()}}))
	}
	sides := []side{{"inlier", ours, "/api/v1/models/" + j.Model + "/transform"}}
	if python := os.Getenv("INLIER_PEER"); python != "" {
		sides = append(sides, side{"peer", startPeer(t, python), "/"})
	}
	for round := range 3 {
		for _, s := range sides {
			before, own, resident := s.process.used(t), processorTime(t, os.Getpid()), s.process.resident(t)
			found := storm(t, s, bodies, 200, 8*time.Second)
			if found.failed > 0 {
				t.Errorf("%s: %d requests failed, such as %v", s.name, found.failed, found.fault)
			}
			n := len(found.times)
			each := func(d time.Duration) time.Duration { return (d / time.Duration(n)).Round(time.Microsecond) }
			t.Logf("round %d, %s: %.0f rows per second, half within %s, 99 of 100 within %s; processor time per row %s, of the clients %s; memory %d MiB, before %d", round+1, s.name,
				found.rate, found.times[n/2], found.times[n*99/100], each(s.process.used(t)-before), each(processorTime(t, os.Getpid())-own), s.process.resident(t)>>20, resident>>20)
		}
	}
}

// side is a server that is asked.
type side struct {
	name    string
	process *process
	path    string
}

// process is a server that runs for itself.
type process struct {
	at      string
	command *exec.Cmd
}

// program is the command line that INLIER_PROGRAM names, or builds it once.
var program = sync.OnceValues(func() (string, error) {
	if given := os.Getenv("INLIER_PROGRAM"); given != "" {
		return given, nil
	}
	path := filepath.Join(os.TempDir(), fmt.Sprintf("inlier-under-test-%d", os.Getpid()))
	build := exec.Command("go", "build", "-o", path, "./cmd/inlier")
	build.Dir = filepath.Join("..", "..", "..")
	out, err := build.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

// startServer runs inlier serve on a folder, as people do.
func startServer(t *testing.T, folder string, flags ...string) *process {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(path, append([]string{"serve", "--no-browser", "--data-dir", folder, "--addr", "127.0.0.1:0"}, flags...)...)
	command.Stderr = os.Stderr
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	p := &process{command: command}
	t.Cleanup(p.kill)
	lines := bufio.NewReader(out)
	first, err := lines.ReadString('\n')
	if err != nil {
		t.Fatalf("the server does not start: %v", err)
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	_, at, _ := strings.Cut(strings.TrimSpace(first), "http://")
	p.at = "http://" + strings.TrimSuffix(at, "/")
	return p
}

func startPeer(t *testing.T, python string) *process {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(free.Addr().String())
	free.Close()
	p := &process{at: "http://127.0.0.1:" + port, command: exec.Command(python, filepath.Join("..", "..", "..", "bench", "serve_peer.py"), port)}
	p.command.Stderr = os.Stderr
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	for range 300 {
		if conn, err := net.Dial("tcp", "127.0.0.1:"+port); err == nil {
			conn.Close()
			return p
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("the peer does not start")
	return nil
}

// kill ends the process without a word of warning.
func (p *process) kill() {
	_ = p.command.Process.Kill()
	_ = p.command.Wait()
}

func (p *process) used(t *testing.T) time.Duration { return processorTime(t, p.command.Process.Pid) }

// processorTime is what a process has used so far, in user and system mode.
func processorTime(t *testing.T, pid int) time.Duration {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	user, err1 := strconv.Atoi(fields[11])
	system, err2 := strconv.Atoi(fields[12])
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	return time.Duration(user+system) * 10 * time.Millisecond
}

// resident is the memory that a process holds, in bytes; the most it ever held stands under VmHWM.
func (p *process) resident(t *testing.T) int64 { return p.memory(t, "VmRSS:") }

func (p *process) memory(t *testing.T, name string) int64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.command.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), name)
	kilobytes, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return kilobytes << 10
}

// stormed is what clients have seen.
type stormed struct {
	rate   float64
	times  []time.Duration // in order of length
	failed int
	fault  error
}

// storm lets so many clients ask again and again. They write requests that are ready and compare answers with the first one, so that
// they take little of the machine themselves.
func storm(t *testing.T, s side, bodies [][]byte, clients int, lasting time.Duration) stormed {
	t.Helper()
	host := strings.TrimPrefix(s.process.at, "http://")
	asks, wants := [][]byte{}, [][]byte{}
	for _, body := range bodies {
		answer, err := http.Post(s.process.at+s.path, "application/json", bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		var got struct{ Rows [][]float64 }
		if err := errors.Join(err, json.Unmarshal(text, &got)); err != nil || answer.StatusCode != 200 || len(got.Rows) != 1 || len(got.Rows[0]) != 50 {
			t.Fatalf("%d %v %.200s", answer.StatusCode, err, text)
		}
		wants = append(wants, text)
		asks = append(asks, append(fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", s.path, host, len(body)), body...))
	}
	var out stormed
	var lock sync.Mutex
	var all sync.WaitGroup
	ctx, stop := context.WithTimeout(t.Context(), lasting)
	defer stop()
	began := time.Now()
	for k := range clients {
		all.Go(func() {
			times, fault := ask(ctx, host, asks, wants, k)
			lock.Lock()
			defer lock.Unlock()
			out.times = append(out.times, times...)
			if fault != nil {
				out.failed++
				out.fault = fault
			}
		})
	}
	all.Wait()
	out.rate = float64(len(out.times)) / time.Since(began).Seconds()
	slices.Sort(out.times)
	return out
}

// ask is one client: it keeps its connection and ends at the first fault.
func ask(ctx context.Context, host string, asks, wants [][]byte, from int) (times []time.Duration, fault error) {
	conn, err := net.Dial("tcp", host)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	in, room := bufio.NewReaderSize(conn, 8192), make([]byte, 65536)
	for k := from; ctx.Err() == nil; k++ {
		one := time.Now()
		_ = conn.SetDeadline(one.Add(3 * time.Minute))
		if _, err := conn.Write(asks[k%len(asks)]); err != nil {
			return times, err
		}
		length := -1
		for number := 0; ; number++ {
			line, err := in.ReadSlice('\n')
			if err != nil {
				return times, err
			}
			if number == 0 && !bytes.Contains(line, []byte(" 200 ")) {
				return times, fmt.Errorf("%s", line)
			}
			if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
				length, _ = strconv.Atoi(string(bytes.TrimSpace(value)))
			}
			if len(line) <= 2 {
				break
			}
		}
		if length < 0 || length > len(room) {
			return times, fmt.Errorf("an answer of %d bytes", length)
		}
		if _, err := io.ReadFull(in, room[:length]); err != nil {
			return times, err
		}
		if !bytes.Equal(room[:length], wants[k%len(wants)]) {
			return times, fmt.Errorf("another answer to the same request: %s", room[:length])
		}
		times = append(times, time.Since(one).Round(10*time.Microsecond))
	}
	return times, nil
}

// A million rows as CSV, made while they are sent, to a server of its own: the answer has a line for each, and memory stays bounded.
func TestAMillionRowsStreamed(t *testing.T) {
	long(t)
	p := startServer(t, t.TempDir())
	c := &client{t: t, at: p.at}
	rows := func(n int, to io.Writer) {
		draw := rand.New(rand.NewPCG(5, 5))
		fmt.Fprintln(to, "a,b,c,d,e,f")
		for range n {
			v := draw.NormFloat64()
			fmt.Fprintf(to, "%.4f,%.4f,%.4f,%.4f,%.4f,%.4f\n", v, v+draw.NormFloat64(), 2*v+draw.NormFloat64(), draw.NormFloat64(), 3*v+draw.NormFloat64(), draw.NormFloat64())
		}
	}
	var table strings.Builder
	rows(2000, &table)
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=some.csv", table.String(), &u)
	var j server.Job
	c.must(202, "POST", "/api/v1/fits", server.FitRequest{Data: server.Table{Upload: u.ID}}, &j)
	if j = c.ended(j.ID); j.State != server.Done {
		t.Fatalf("%+v", j.Problem)
	}
	for _, kind := range []string{"text/csv", "application/json"} {
		before, used, began := p.memory(t, "VmHWM:"), p.used(t), time.Now()
		out, in := io.Pipe()
		go func() {
			buffered := bufio.NewWriterSize(in, 1<<16)
			rows(1000000, buffered)
			in.CloseWithError(buffered.Flush())
		}()
		r, err := http.NewRequestWithContext(t.Context(), "POST", p.at+"/api/v1/models/"+j.Model+"/judge", out)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "text/csv")
		r.Header.Set("Accept", kind)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		counted, size, kept := 0, 0, 0
		room := make([]byte, 1<<16)
		mark, want := []byte{'\n'}, 1000001 // with the names
		if kind != "text/csv" {
			mark, want = []byte(`{"row":`), 1000000 // reasons of a row are objects too
		}
		for err == nil {
			var n int
			n, err = answer.Body.Read(room[kept:])
			size += n
			counted += bytes.Count(room[:kept+n], mark)
			kept = copy(room, room[max(0, kept+n-len(mark)+1):kept+n]) // the beginning of a mark
		}
		answer.Body.Close()
		if err != io.EOF || answer.StatusCode != 200 || counted != want {
			t.Errorf("%d, %d rows, %v", answer.StatusCode, counted, err)
		}
		peak := p.memory(t, "VmHWM:")
		t.Logf("%s: %d MB came back after %s, %s of processor time; the most memory %d MiB, before %d", kind, size>>20, time.Since(began).Round(100*time.Millisecond), p.used(t)-used, peak>>20, before>>20)
		if peak > 400<<20 {
			t.Errorf("%d MiB", peak>>20)
		}
	}
}
