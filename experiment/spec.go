package experiment

import (
	"context"
	"fmt"
	"sort"
	"strings"
)

// Spec is one experiment: a table or a figure of a paper, or a study of our own.
type Spec struct {
	ID    string // as typed: "kmpe-table-7"
	Paper string // "kmpe", "pca-gm", ...; "beyond" for studies of our own
	Item  string // where it stands: "Table VII"
	Title string // one line
	About string // what the paper shows with it, or what we ask; prose

	Protocol []string // what is done, in order
	Choices  []string // what the paper leaves open or prints wrongly, and what was chosen here
	Needs    []string // files and folders below the data folder
	// Substitute names data that stand in for data that cannot be had; the verdict is then
	// that the data are not available: printed numbers are not compared, claims are judged on the
	// substitute.
	Substitute string

	Quick, Full Form

	// Plan lists the cases. It may look at the data, which are there when it is called.
	Plan func(ctx context.Context, e *Env) ([]Case, error)
	// Overlap is the ratio of the rows that a repeat tests (in cross-validation all) to those of one
	// fit where repeats are random divisions of one table, which share rows; nil: repeats are
	// draws independent of each other.
	Overlap func(data string) float64
	// Published are the paper's numbers and claims; nil when there are none.
	Published *Published
	// Present adds tables and figures to the page; nil for none beyond the comparison with
	// the published numbers.
	Present func(ctx context.Context, v *View) error
	// Learned returns sentences computed from the results.
	Learned func(v *View) []string
}

// Form is how long an experiment goes on.
type Form struct {
	Repeats int
	Minutes float64 // on two cores, roughly
}

// Case is one condition of an experiment.
type Case struct {
	Data string // names the data and the dirt in records and tables
	// Stream names the random draws when several cases must share them; empty: Data.
	Stream string
	// Repeats caps the number of repeats, for draws without randomness; 0: as the form says.
	Repeats int
	// Draw makes the data of one repeat; nil when entrants need none.
	Draw func(ctx context.Context, seed uint64) (any, error)
	// Entrants are the methods that meet them.
	Entrants []Entrant
}

// Entrant is a method with its parameters.
type Entrant struct {
	Name   string            // in records and tables
	Params map[string]string // recorded, and part of the key that resuming goes by
	Run    func(ctx context.Context, b *Bench) error
}

var registry = map[string]*Spec{}

// Register adds an experiment to the list; it is called at start-up.
func Register(s *Spec) {
	if _, twice := registry[s.ID]; twice || s.ID == "" {
		panic(fmt.Sprintf("experiment: %q is registered twice or has no name", s.ID))
	}
	if s.Plan == nil || s.Quick.Repeats < 1 || s.Full.Repeats < s.Quick.Repeats {
		panic(fmt.Sprintf("experiment: %s lacks a plan or its repeats", s.ID))
	}
	registry[s.ID] = s
}

// paperOrder is the order of the list.
var paperOrder = []string{"kmpe", "corr-tensor", "pca-gm", "regmaxcem", "correntropy-pca", "beyond"}

// paperHeadings name the papers' sections of the index.
var paperHeadings = map[string]string{
	"kmpe": "kmpe: kernel mean p-power error", "corr-tensor": "corr-tensor: robust tensor decomposition", "pca-gm": "pca-gm: generalised mean",
	"regmaxcem": "regmaxcem: maximum correntropy machine", "correntropy-pca": "correntropy-pca: components by correntropy", "beyond": "Beyond the papers",
}

// PaperTitle is the title of a paper by its short name.
func PaperTitle(paper string) string {
	switch paper {
	case "kmpe":
		return "Chen, Xing, Wang, Qin, Zheng: Robust learning with kernel mean p-power error loss"
	case "corr-tensor":
		return "Zhang, Gao, Sun, Blumenstein: Robust tensor decomposition for image representation based on generalized correntropy"
	case "pca-gm":
		return "Oh, Kwak: Generalized mean for robust principal component analysis"
	case "regmaxcem":
		return "Wang, Wang, Jing, Gao: Regularized maximum correntropy machine"
	case "correntropy-pca":
		return "Xu, Pokharel, Paiva, Principe: Nonlinear component analysis based on correntropy"
	}
	return "Beyond the papers"
}

// Specs lists the experiments, paper by paper, in the order of their names.
func Specs() []*Spec {
	out := make([]*Spec, 0, len(registry))
	for _, s := range registry {
		out = append(out, s)
	}
	rank := map[string]int{}
	for i, p := range paperOrder {
		rank[p] = i
	}
	sort.Slice(out, func(i, j int) bool {
		if a, b := rank[out[i].Paper], rank[out[j].Paper]; a != b {
			return a < b
		}
		return natural(out[i].ID) < natural(out[j].ID)
	})
	return out
}

// natural pads the numbers of a name, so that table-10 comes after table-9.
func natural(name string) string {
	var out, digits strings.Builder
	flush := func() {
		if digits.Len() > 0 {
			fmt.Fprintf(&out, "%08s", digits.String())
			digits.Reset()
		}
	}
	for _, r := range name {
		if r >= '0' && r <= '9' {
			digits.WriteRune(r)
			continue
		}
		flush()
		out.WriteRune(r)
	}
	flush()
	return out.String()
}

// Find returns the experiments of the given names; the name of a paper stands for all of
// its experiments.
func Find(names []string) ([]*Spec, error) {
	var out []*Spec
	taken := map[string]bool{}
	for _, name := range names {
		found := false
		for _, s := range Specs() {
			if s.ID == name || s.Paper == name {
				found = true
				if !taken[s.ID] {
					taken[s.ID] = true
					out = append(out, s)
				}
			}
		}
		if !found {
			return nil, &UnknownError{Name: name}
		}
	}
	return out, nil
}

// UnknownError says that there is no experiment of a name.
type UnknownError struct{ Name string }

// Error names it.
func (e *UnknownError) Error() string {
	return fmt.Sprintf("experiment: there is no experiment or paper %q", e.Name)
}
