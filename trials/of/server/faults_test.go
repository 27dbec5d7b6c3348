package server

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/server"
)

// ledger is what a server has said to be finished.
type ledger struct {
	lock    sync.Mutex
	uploads map[string]string   // their sums
	jobs    map[string][]string // that are done, and their files
	files   map[string]string   // sums of files by their path
	models  map[string]string   // what they answer to one row
	chosen  map[string]map[int]string
}

// Killed at 50 random moments of uploads, checks, fits, choices, questions and downloads: what a server has said to be finished is there
// when the next one starts, what was under way is interrupted, and nothing broken is served.
func TestKilledAtRandomMoments(t *testing.T) {
	long(t)
	folder := t.TempDir()
	known := &ledger{uploads: map[string]string{}, jobs: map[string][]string{}, files: map[string]string{}, models: map[string]string{}, chosen: map[string]map[int]string{}}
	draw := rand.New(rand.NewPCG(7, 7))
	for round := range 50 {
		p := startServer(t, folder)
		known.verify(t, p.at, folder)
		stop := make(chan struct{})
		var crew sync.WaitGroup
		for k := range 6 {
			own := rand.New(rand.NewPCG(uint64(round), uint64(k)))
			crew.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
						known.act(p.at, own, k)
					}
				}
			})
		}
		time.Sleep(time.Duration(draw.IntN(900)) * time.Millisecond)
		p.kill()
		close(stop)
		crew.Wait()
		if t.Failed() {
			t.Fatalf("after %d kills", round)
		}
	}
	known.verify(t, startServer(t, folder).at, folder)
	t.Logf("50 kills: %d uploads, %d jobs with %d files, %d models, %d checks with choices are whole", len(known.uploads), len(known.jobs), len(known.files), len(known.models), len(known.chosen))
}

var impatient = &http.Client{Timeout: 20 * time.Second}

// request is an answer of status 2xx that came whole, else nil.
func request(method, at, kind string, body io.Reader) []byte {
	r, err := http.NewRequest(method, at, body)
	if err != nil {
		return nil
	}
	r.Header.Set("Content-Type", kind)
	answer, err := impatient.Do(r)
	if err != nil {
		return nil
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode/100 != 2 {
		return nil
	}
	return text
}

func sum(text []byte) string {
	s := sha256.Sum256(text)
	return hex.EncodeToString(s[:])
}

const oneRow = `{"columns":["net","tax","total"],"rows":[[50,10,60]]}`

// act does one of the things that clients do, and writes down what was answered whole.
func (l *ledger) act(at string, draw *rand.Rand, k int) {
	at += "/api/v1"
	some := func(of map[string]string) string {
		l.lock.Lock()
		defer l.lock.Unlock()
		for id := range of {
			return id
		}
		return "0000000000000000"
	}
	asked := func(path string, in any) (j server.Job) {
		text, _ := json.Marshal(in)
		_ = json.Unmarshal(request("POST", at+path, "application/json", bytes.NewReader(text)), &j)
		for j.ID != "" && !j.State.Ended() {
			time.Sleep(5 * time.Millisecond)
			answer := request("GET", at+"/jobs/"+j.ID, "", nil)
			if answer == nil {
				return server.Job{}
			}
			_ = json.Unmarshal(answer, &j)
		}
		return j
	}
	switch k {
	case 0, 1: // a body that comes slowly, of any length
		text := orders() + strings.Repeat("x,1,2,3,toy\n", draw.IntN(60000))
		var u server.Upload
		if json.Unmarshal(request("POST", at+"/uploads?name=orders.csv", "text/csv", &slow{strings.NewReader(text)}), &u) == nil {
			l.lock.Lock()
			l.uploads[u.ID] = sum([]byte(text))
			l.lock.Unlock()
		}
	case 2, 3:
		var u server.Upload
		if json.Unmarshal(request("POST", at+"/uploads?name=orders.csv", "text/csv", strings.NewReader(orders())), &u) != nil {
			return
		}
		l.lock.Lock()
		l.uploads[u.ID] = sum([]byte(orders()))
		l.lock.Unlock()
		var j server.Job
		if k == 2 {
			j = asked("/checks", server.CheckRequest{Upload: u.ID, Repair: true})
		} else {
			j = asked("/fits", server.FitRequest{Data: server.Table{Upload: u.ID, Columns: []string{"net", "tax", "total"}}})
		}
		if j.State != server.Done {
			return
		}
		l.lock.Lock()
		l.jobs[j.ID] = j.Files
		l.lock.Unlock()
		if answer := request("POST", at+"/models/"+j.Model+"/judge", "application/json", strings.NewReader(oneRow)); j.Model != "" && answer != nil {
			l.lock.Lock()
			l.models[j.Model] = string(answer)
			l.lock.Unlock()
		}
	case 4:
		l.lock.Lock()
		id, row, choice := "", 1+draw.IntN(300), []string{inlier.Drop, inlier.Keep, inlier.Repair}[draw.IntN(3)]
		for id = range l.jobs {
			break
		}
		l.lock.Unlock()
		if request("POST", at+"/jobs/"+id+"/choices", "application/json", strings.NewReader(fmt.Sprintf(`{"row":%d,"choice":%q}`, row, choice))) != nil {
			l.lock.Lock()
			if l.chosen[id] == nil {
				l.chosen[id] = map[int]string{}
			}
			l.chosen[id][row] = choice
			l.lock.Unlock()
		}
	case 5:
		_ = request("POST", at+"/models/"+some(l.models)+"/judge", "text/csv", strings.NewReader(orders()))
		l.lock.Lock()
		path := ""
		for id, files := range l.jobs {
			path = "/jobs/" + id + "/files/" + files[draw.IntN(len(files))]
			break
		}
		l.lock.Unlock()
		if text := request("GET", at+path, "", nil); path != "" && text != nil {
			l.lock.Lock()
			l.files[path] = sum(text)
			l.lock.Unlock()
		}
	}
}

type slow struct{ io.Reader }

func (s *slow) Read(b []byte) (int, error) {
	time.Sleep(time.Millisecond)
	return s.Reader.Read(b[:min(len(b), 20000)])
}

// verify holds a server that has just started against what was said before.
func (l *ledger) verify(t *testing.T, at, folder string) {
	t.Helper()
	at += "/api/v1"
	var uploads []server.Upload
	var jobs []server.Job
	for path, into := range map[string]any{"/uploads": &uploads, "/jobs": &jobs} {
		if err := json.Unmarshal(request("GET", at+path, "", nil), into); err != nil {
			t.Fatal(path, err)
		}
	}
	there := map[string]bool{}
	for _, u := range uploads {
		there[u.ID] = true
		text, err := os.ReadFile(filepath.Join(folder, "uploads", u.ID, "data.csv"))
		if err != nil || sum(text) != u.SHA256 || l.uploads[u.ID] != "" && l.uploads[u.ID] != u.SHA256 {
			t.Errorf("upload %s is not what was sent: %v", u.ID, err)
		}
	}
	for id := range l.uploads {
		if !there[id] {
			t.Errorf("upload %s is lost", id)
		}
	}
	done := map[string]bool{}
	for _, j := range jobs {
		if done[j.ID] = j.State == server.Done; !done[j.ID] && j.State != server.Interrupted && j.State != server.Failed {
			t.Errorf("job %s is %s", j.ID, j.State)
		}
		if j.State == server.Failed {
			t.Errorf("job %s failed: %+v", j.ID, j.Problem)
		}
		for _, name := range j.Files {
			path := "/jobs/" + j.ID + "/files/" + name
			text := request("GET", at+path, "", nil)
			if l.files[path] == "" {
				l.files[path] = sum(text)
			}
			if text == nil || sum(text) != l.files[path] {
				t.Errorf("%s is another file, of %d bytes", path, len(text))
			}
		}
	}
	for id := range l.jobs {
		if !done[id] {
			t.Errorf("job %s is lost", id)
		}
	}
	for id, answer := range l.models {
		if got := request("POST", at+"/models/"+id+"/judge", "application/json", strings.NewReader(oneRow)); string(got) != answer {
			t.Errorf("model %s answers %s, not %s", id, got, answer)
		}
	}
	for id, rows := range l.chosen {
		var got []inlier.Choice
		_ = json.Unmarshal(request("GET", at+"/jobs/"+id+"/choices", "", nil), &got)
		for row, choice := range rows {
			if !slices.Contains(got, inlier.Choice{Row: row, Choice: choice}) {
				at := slices.IndexFunc(got, func(c inlier.Choice) bool { return c.Row == row })
				if at < 0 { // another may have been written whose answer did not arrive
					t.Errorf("job %s: the choice about row %d is lost", id, row)
				}
			}
		}
	}
	for _, room := range []string{"uploads", "jobs", "models"} {
		files, err := os.ReadDir(filepath.Join(folder, room))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if strings.HasPrefix(f.Name(), ".") || strings.HasPrefix(f.Name(), "rows-") || room == "uploads" && !there[f.Name()] || room == "jobs" && !done[f.Name()] {
				t.Errorf("%s/%s is left over", room, f.Name())
			}
		}
	}
}
