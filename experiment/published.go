package experiment

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"path"
)

// Published is what a paper prints: numbers of tables, and claims in words that can be
// checked.
type Published struct {
	Source string           `json:"source"` // where it stands
	Notes  []string         `json:"notes,omitempty"`
	Tables []PublishedTable `json:"tables,omitempty"`
	Claims []Claim          `json:"claims,omitempty"`
}

// PublishedTable is one score of a table: methods across, data down.
type PublishedTable struct {
	Title   string         `json:"title"`
	Score   string         `json:"score"`             // name of the score in the records
	Better  string         `json:"better"`            // "low" or "high"
	Judged  bool           `json:"judged"`            // its cells decide the verdict
	Unit    float64        `json:"unit"`              // one unit of the last printed digit
	Repeats int            `json:"repeats,omitempty"` // draws behind each number, as the paper says; 0: it does not
	Format  string         `json:"format,omitempty"`  // of numbers in our tables
	Methods []string       `json:"methods"`
	Rows    []PublishedRow `json:"rows"`
}

// PublishedRow is one line: a mean for each method and, where printed, a standard deviation.
// Null means that nothing is printed.
type PublishedRow struct {
	Data  string     `json:"data"`            // name of the data in the records
	Label string     `json:"label,omitempty"` // how tables call the line; empty: Data
	Score string     `json:"score,omitempty"` // where lines are scores; empty: the table's
	Mean  []*float64 `json:"mean"`
	SD    []*float64 `json:"sd,omitempty"`
}

// score is the name of the line's score in the records.
func (t PublishedTable) score(r PublishedRow) string { return cmp.Or(r.Score, t.Score) }

// at returns a cell; NaN where nothing is printed.
func (r PublishedRow) at(k int) (mean, sd float64) {
	mean, sd = math.NaN(), math.NaN()
	if k < len(r.Mean) && r.Mean[k] != nil {
		mean = *r.Mean[k]
	}
	if k < len(r.SD) && r.SD[k] != nil {
		sd = *r.SD[k]
	}
	return mean, sd
}

// Claim is a statement that the records can confirm or contradict. With Than it is an order:
// on each data set the score of Method is better than that of each method in Than. With Min
// or Max it is a bound on the mean score of Method.
type Claim struct {
	Text   string   `json:"text"`
	Method string   `json:"method"`
	Score  string   `json:"score"`          // a name, * for any text: every score of that form is compared
	Data   []string `json:"data,omitempty"` // names, * for any text; none: all data
	Better string   `json:"better,omitempty"`
	Than   []string `json:"than,omitempty"`
	Min    *float64 `json:"min,omitempty"`
	Max    *float64 `json:"max,omitempty"`
	Share  float64  `json:"share,omitempty"` // of the comparisons that must come out so; 0: 0.9
}

func (c Claim) covers(data string) bool {
	for _, pattern := range c.Data {
		if ok, err := path.Match(pattern, data); err == nil && ok {
			return true
		}
	}
	return len(c.Data) == 0
}

// LoadPublished reads and checks a file of published numbers.
func LoadPublished(files fs.FS, name string) (*Published, error) {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, fmt.Errorf("experiment: %w", err)
	}
	var p Published
	if err := json.Unmarshal(text, &p); err != nil {
		return nil, fmt.Errorf("experiment: %s: %w", name, err)
	}
	for _, t := range p.Tables {
		if t.Better != "low" && t.Better != "high" {
			return nil, fmt.Errorf("experiment: %s: table %q: better is %q, neither low nor high", name, t.Title, t.Better)
		}
		for _, r := range t.Rows {
			if len(r.Mean) != len(t.Methods) || r.SD != nil && len(r.SD) != len(t.Methods) {
				return nil, fmt.Errorf("experiment: %s: table %q, line %q has not one cell for each of %d methods", name, t.Title, r.Data, len(t.Methods))
			}
		}
	}
	for _, c := range p.Claims {
		if (len(c.Than) > 0) == (c.Min != nil || c.Max != nil) || len(c.Than) > 0 && c.Better != "low" && c.Better != "high" {
			return nil, fmt.Errorf("experiment: %s: claim %q is neither an order nor a bound", name, c.Text)
		}
	}
	return &p, nil
}
