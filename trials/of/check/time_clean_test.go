package check

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// inTime is what the part for time finds in the table that was learned from.
func inTime(t *testing.T, table *tolerant.Table) (e check.Evidence) {
	t.Helper()
	m, err := check.Learn(t.Context(), table, check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := m.Judge(t.Context(), table)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range r.Found {
		if e.Part == check.PartTime {
			return e
		}
	}
	return e
}

// cleanSeries are logs in which nothing is wrong.
var cleanSeries = map[string]func(r *rand.Rand, i int, last float64) float64{
	"walk": func(r *rand.Rand, _ int, last float64) float64 { return last + r.NormFloat64() },
	"walk-t3": func(r *rand.Rand, _ int, last float64) float64 {
		return last + r.NormFloat64()/math.Sqrt((sq(r)+sq(r)+sq(r))/3)
	},
	"rounded":  func(r *rand.Rand, _ int, last float64) float64 { return math.Round(last + 0.4*r.NormFloat64()) },
	"seasonal": func(r *rand.Rand, i int, _ float64) float64 { return 10*math.Sin(float64(i)/4) + r.NormFloat64() },
	"sharp": func(r *rand.Rand, i int, _ float64) float64 {
		return 10*math.Pow(math.Sin(float64(i)/8), 8) + 0.1*r.NormFloat64()
	},
	"ar":    func(r *rand.Rand, _ int, last float64) float64 { return 0.95*last + r.NormFloat64() },
	"noise": func(r *rand.Rand, _ int, _ float64) float64 { return math.Exp(2 * r.NormFloat64()) },
	"sun": func(r *rand.Rand, i int, _ float64) float64 {
		return math.Round(max(0, 500*math.Sin(float64(i)/3.82)*r.Float64()))
	},
	"setpoint": func(r *rand.Rand, _ int, last float64) float64 {
		if r.Float64() < 0.02 {
			return math.Round(100 * r.Float64())
		}
		return last
	},
	"counts": func(r *rand.Rand, _ int, _ float64) float64 { return math.Floor(r.ExpFloat64()) },
	"trend":  func(r *rand.Rand, i int, _ float64) float64 { return 0.05*float64(i) + r.NormFloat64() },
	"bursts": func(r *rand.Rand, i int, last float64) float64 { // quiet and lively times
		return last + r.NormFloat64()*math.Exp(math.Sin(float64(i)/60)*1.5)
	},
}

func cleanLog(n int, seed uint64) *tolerant.Table {
	t := &tolerant.Table{Rows: n, Columns: []tolerant.Column{hourly(n)}}
	names := make([]string, 0)
	for name := range cleanSeries {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		r := random.New(seed, name)
		c := tolerant.Column{Name: name, Kind: tolerant.Number}
		last := 0.0
		for i := range n {
			last = cleanSeries[name](r, i, last)
			c.Values = append(c.Values, last)
		}
		t.Columns = append(t.Columns, c)
	}
	return t
}

func TestCleanLogsAreSilent(t *testing.T) {
	wrong := 0
	seeds := many(1, 60)
	for seed := range seeds {
		for _, n := range []int{10, 60, 300, 1000} {
			table := cleanLog(n, seed)
			e := inTime(t, table)
			for k, s := range e.Cells {
				if wrong++; k > 0 && s.Why == e.Cells[k-1].Why {
					continue
				}
				t.Logf("n = %d, seed %d: p %.2g: %s", n, seed, s.P, s.Why)
			}
		}
	}
	if rows := 1370 * int(seeds); wrong > rows/500 {
		t.Errorf("%d cells in %d rows", wrong, rows)
	}
}

func TestFaultsOfSensors(t *testing.T) {
	seen := map[string]int{}
	all := map[string]int{}
	falls := 0
	for seed := range many(1, 40) {
		recipe := synthetic.DefaultSensorLog()
		made, err := recipe.Generate(seed + 5)
		if err != nil {
			t.Fatal(err)
		}
		table := tolerant.FromStrings(made.Sheet.Columns, made.Sheet.Rows, tolerant.Options{})
		e := inTime(t, table)
		rows := map[int]bool{}
		for _, s := range e.Cells {
			if made.Truth.Outlier[s.Row] {
				rows[s.Row] = rows[s.Row] || made.Truth.Guilty[s.Row] == table.Columns[s.Column].Name
			} else {
				falls++
				t.Logf("seed %d: p %.2g: %s", seed, s.P, s.Why)
			}
		}
		for i, wrong := range made.Truth.Outlier {
			if wrong {
				all[made.Truth.Note[i]]++
				if rows[i] {
					seen[made.Truth.Note[i]]++
				}
			}
		}
	}
	t.Log(seen, all, falls)
	for kind, least := range map[string]float64{"stuck": 0.9, "shift": 0.6, "drift": 0.5} {
		if float64(seen[kind]) < least*float64(all[kind]) {
			t.Errorf("%s: %d of %d rows", kind, seen[kind], all[kind])
		}
	}
}

func sq(r *rand.Rand) float64 { z := r.NormFloat64(); return z * z }
