package server

import (
	"testing"
	"time"
)

// A model is listed where its job has ended well and nowhere else, also where the journal takes no more lines.
func TestModelsOfJobsThatCouldNotEnd(t *testing.T) {
	s, c := began(t, Options{})
	var u Upload
	c.must(201, "POST", "/api/v1/uploads?name=orders.csv", orders(), &u)
	ask := FitRequest{Method: "pca-robust", Data: Table{Upload: u.ID, Columns: []string{"net", "tax", "total"}}, Along: true}
	var jobs [3]Job
	for k := range jobs { // the later ones wait while the first is fitted
		c.must(202, "POST", "/api/v1/fits", ask, &jobs[k])
	}
	s.state.writing.Lock()
	s.state.file.Close() // as if the disk were full from now on
	s.state.writing.Unlock()
	for k := range jobs {
		for id := jobs[k].ID; !jobs[k].State.Ended(); {
			time.Sleep(10 * time.Millisecond)
			jobs[k] = Job{}
			c.must(200, "GET", "/api/v1/jobs/"+id, nil, &jobs[k])
		}
	}
	if last := jobs[len(jobs)-1]; last.State != Failed || last.Model != "" {
		t.Errorf("the last job is %s, with model %q", last.State, last.Model)
	}
	var models []StoredModel
	c.must(200, "GET", "/api/v1/models", nil, &models)
	for _, m := range models {
		if j, err := s.job(m.Job); err != nil || j.State != Done {
			t.Errorf("model %s of a job that is %s", m.ID, j.State)
		}
	}
}

// Models that are open are bounded by the bytes of their files; the latest stays however large it is.
func TestOpenModelsByBytes(t *testing.T) {
	s, c := began(t, Options{Limits: Limits{Held: 1}})
	var u Upload
	c.must(201, "POST", "/api/v1/uploads?name=orders.csv", orders(), &u)
	for range 2 {
		j := Job{}
		c.must(202, "POST", "/api/v1/fits", FitRequest{Method: "pca", Data: Table{Upload: u.ID, Columns: []string{"net", "tax", "total"}}}, &j)
		for j.State != Done {
			time.Sleep(10 * time.Millisecond)
			c.must(200, "GET", "/api/v1/jobs/"+j.ID, nil, &j)
		}
		c.must(200, "POST", "/api/v1/models/"+j.Model+"/judge", map[string]any{"rows": [][]float64{{1, 2, 3}}}, nil)
		m, err := s.state.model(j.Model)
		if err != nil || s.loaded.order.Len() != 1 || s.loaded.bytes != m.Bytes || m.Bytes == 0 {
			t.Errorf("%v: %d models of %d bytes are open", err, s.loaded.order.Len(), s.loaded.bytes)
		}
	}
}
