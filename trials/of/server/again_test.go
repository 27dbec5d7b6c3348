package server

import (
	"bufio"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/server"
)

// hear opens the stream behind a message and hears until a job has ended: the numbers of what was told, and the states of each job.
func hear(t *testing.T, at, behind string, until func(server.Job) bool) (ids []string, told map[string][]server.State) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	defer stop()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, at+"/api/v1/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	if behind != "" {
		r.Header.Set("Last-Event-ID", behind)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	told = map[string][]server.State{}
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		if id, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
			ids = append(ids, id)
		}
		if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			var j server.Job
			if err := json.Unmarshal([]byte(text), &j); err != nil {
				t.Fatal(err)
			}
			if told[j.ID] = append(told[j.ID], j.State); until(j) {
				return ids, told
			}
		}
	}
	t.Fatalf("the stream behind %q ended: %v", behind, told)
	return nil, nil
}

// A stream that broke off goes on where it was: jobs that have ended meanwhile are told, those that were told before are not; after a restart all are.
func TestStreamsGoOn(t *testing.T) {
	folder := t.TempDir()
	s, c := began(t, server.Options{Folder: folder})
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=t.csv", squares(60, false), &u)
	ask := func() (j server.Job) {
		c.must(202, "POST", "/api/v1/checks", server.CheckRequest{Upload: u.ID}, &j)
		return j
	}
	first := ask()
	c.ended(first.ID)
	of := func(id string) func(server.Job) bool {
		return func(j server.Job) bool { return j.ID == id && j.State == server.Done }
	}
	second := ask()
	ids, told := hear(t, c.at, "another-3", of(second.ID))
	if len(told[first.ID]) != 1 {
		t.Errorf("behind a message of another server: %v", told)
	}
	behind := ids[len(ids)-1]
	third := ask()
	c.ended(third.ID)
	ids, told = hear(t, c.at, behind, of(third.ID))
	if len(told) != 1 || len(told[third.ID]) != 1 {
		t.Errorf("behind %s: %v", behind, told)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, c = began(t, server.Options{Folder: folder})
	all := 0
	if _, told = hear(t, c.at, ids[0], func(server.Job) bool { all++; return all == 3 }); len(told) != 3 {
		t.Errorf("after a restart: %v", told)
	}
	// One that breaks off amid the jobs of before goes on with the rest of them.
	ids, told = hear(t, c.at, ids[0], func(server.Job) bool { return true })
	rest := 0
	if _, more := hear(t, c.at, ids[0], func(server.Job) bool { rest++; return rest == 2 }); len(told) != 1 || len(more) != 2 || more[slices.Collect(maps.Keys(told))[0]] != nil {
		t.Errorf("behind the first job of before, %s: %v, then %v", ids[0], told, more)
	}
}

// What is asked for by another verb than those of a path is told so.
func TestOtherVerbs(t *testing.T) {
	_, c := began(t, server.Options{})
	for request, allowed := range map[string]string{"PUT /api/v1/uploads": "GET POST", "DELETE /api/v1/checks": "POST", "PATCH /api/v1/models/0123456789abcdef": "GET DELETE", "POST /api/v1/nothing": ""} {
		method, path, _ := strings.Cut(request, " ")
		want := 405
		if allowed == "" {
			want = 404
		}
		code, text, head := c.do(method, path, "", nil)
		if got := strings.Join(head.Values("Allow"), " "); code != want || got != allowed || !strings.Contains(string(text), `"detail"`) {
			t.Errorf("%s: %d, allowed are %q: %s", request, code, got, text)
		}
	}
}
