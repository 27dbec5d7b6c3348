package catalog

import "slices"

// What comparisons, demonstrations and searches know of methods stands here, so that
// nothing outside this table knows a method by name.

// Entrant is a method with parameters under a label of its own, as comparisons enter it.
type Entrant struct {
	Label  string            // in tables
	Method string            // in the catalog
	Params map[string]string // beside those that all entrants share
}

// Lineup is how the methods of a family are compared.
type Lineup struct {
	Family     string
	References []string // what the others are held against: the first, or the one of them that takes part
	Classical  string   // the method without robustness
}

// lineups lists the families whose methods can be compared without a target; the first
// is the one that is meant where none is named.
var lineups = []Lineup{
	{"pca", []string{"pca-robust"}, "pca"},
	{"tensor", []string{"corr-tensor", "corr-2dsvd"}, "2dsvd"}, // on images both are the same
}

// Lineups lists the families whose methods can be compared without a target, the usual
// one first.
func Lineups() []Lineup { return slices.Clone(lineups) }

// Default is the name of the method that is meant where none is named.
func Default() string { return lineups[0].References[0] }

// oneSided are the methods that reduce images on their second side only.
var oneSided = []string{"2dpca", "l1-2dpca", "n-2dnpp", "s-2dnpp"}

// OneSidedNote tells of the methods that reduce one side of images only.
const OneSidedNote = "2dpca, l1-2dpca and 2dnpp reduce one side only: they keep more numbers of each row"

// OneSided tells whether the method reduces images on their second side only, so that it
// keeps more numbers at the same rank.
func (m *Method) OneSided() bool { return slices.Contains(oneSided, m.Name) }

// Printed are the PCA methods of the papers as they print them, started where they start.
func Printed() []Entrant {
	return []Entrant{
		{"pca", "pca", nil},
		{"pca-l1", "pca-l1", set("start", "classic")},
		{"r1-pca", "r1-pca", set("start", "classic", "mean", "sample")},
		{"hq-pca", "hq-pca", set("start", "classic", "sigma", "silverman", "rescale", "every-step")},
		{"pca-gm", "pca-gm", set("start", "classic", "delta", "paper")},
		{"pca-kmpe", "pca-kmpe", set("start", "classic", "p", "10", "sigma", "silverman", "rescale", "every-step")},
	}
}

// Breakdown are the methods whose limits are studied: the papers', the default from a
// start that does not look for a clean half, and the default.
func Breakdown() []Entrant {
	return append(Printed(), Entrant{"spherical", Default(), set("start", "spherical")}, Entrant{Default(), Default(), nil})
}

// Timed are the methods whose fits are timed.
func Timed() []Entrant {
	return []Entrant{{"pca", "pca", nil}, {"hq-pca", "hq-pca", nil}, {"pca-kmpe", "pca-kmpe", nil}, {Default(), Default(), nil}}
}

// Learners are the methods that learn a target by comparison when none is named, with the
// variants that are worth a line of their own.
func Learners(task Task) []Entrant {
	if task == Regress {
		return []Entrant{
			{"least squares", "linear-robust", set("loss", "square", "start", "classic")},
			{"huber", "linear-robust", set("loss", "huber", "start", "classic")},
			{"linear-robust", "linear-robust", nil}, {"elm", "elm", nil}, {"relm", "relm", nil}, {"elm-rcc", "elm-rcc", nil},
			{"elm-kmpe+p=4", "elm-kmpe", set("p", "4")}, // with p=2 it is elm-rcc
		}
	}
	machines := []string{"square", "hinge", "logistic", "regmaxcem"}
	var list []Entrant
	for _, name := range machines {
		list = append(list, Entrant{name, name, nil})
	}
	for _, name := range machines {
		list = append(list, Entrant{name + "+rbf", name, set("kernel", "rbf")})
	}
	return append(list, Entrant{"relm", "relm", nil}, Entrant{"elm-kmpe", "elm-kmpe", nil})
}

// set makes parameters of names and values.
func set(list ...string) map[string]string {
	p := map[string]string{}
	for i := 0; i+1 < len(list); i += 2 {
		p[list[i]] = list[i+1]
	}
	return p
}
