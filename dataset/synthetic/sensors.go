package synthetic

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/internal/setting"
	"github.com/inlier-ml/inlier/internal/random"
)

// Sensors makes a table of hourly readings of a pumping station, in the units that
// the column names carry. Three hidden causes move everything: the load, which follows
// the day, the outdoor temperature, and the position of a valve. On top of small sensor
// noise three things go wrong, each in a few hours chosen at random:
//
//	stuck     the pressure sensor repeats one reading, and the reading is wrong
//	spike     one sensor of the hour is far off: a slipped decimal point or a dropped signal
//	stranger  the whole row comes from another machine with other laws
//
// It is made up and small, and meant for demonstrations: classical methods follow the
// broken rows, robust ones name them.
type Sensors struct {
	Hours     int
	Stuck     int // hours, consecutive
	Spikes    int
	Strangers int
}

// DefaultSensors is ten days with about an eighth of broken hours.
func DefaultSensors() Sensors { return Sensors{Hours: 240, Stuck: 12, Spikes: 8, Strangers: 10} }

func (c *Sensors) fields() []setting.Field {
	return []setting.Field{
		setting.Int("hours", &c.Hours, 24, 1e7, "rows, one per hour"),
		setting.Int("stuck", &c.Stuck, 0, 1e7, "consecutive hours in which the pressure sensor is stuck"),
		setting.Int("spikes", &c.Spikes, 0, 1e7, "hours in which one sensor is far off"),
		setting.Int("strangers", &c.Strangers, 0, 1e7, "hours that belong to another machine"),
	}
}

// The columns of the table. Each reads
//
//	rest + load*l + outdoor*a + valve*v + noise
//
// with l, a, v the hidden causes in standard units.
var sensorColumns = []struct {
	name                              string
	rest, load, outdoor, valve, noise float64
}{
	{"outdoor_c", 17, 0, 5.5, 0, 0.3},
	{"intake_c", 13, 0.4, 3.2, 0, 0.25},
	{"bearing_c", 58, 6.5, 2.2, 0.6, 0.4},
	{"pressure_psi", 52, 4.8, 0, -5.5, 0.35},
	{"flow_m3h", 74, 8.5, 0, 6.2, 0.5},
	{"power_kw", 41, 7.2, 0.5, 2.1, 0.4},
	{"current_a", 63, 9.6, 0.7, 2.7, 0.5},
	{"vibration_um", 22, 3.1, 0, -1.8, 0.4},
	{"humidity_pct", 61, 0, -6.8, 0, 0.7},
}

// Generate makes the table. Truth has Outlier, Note (what is wrong with the hour),
// Basis and Center (of the hidden causes' subspace) and CleanX.
func (c *Sensors) Generate(seed uint64) (*Generated, error) {
	return c.generate(context.Background(), seed)
}

func (c *Sensors) generate(ctx context.Context, seed uint64) (*Generated, error) {
	const name = "sensors"
	if err := setting.Check(name, c.fields()); err != nil {
		return nil, err
	}
	if broken := c.Stuck + c.Spikes + c.Strangers; broken > c.Hours/2 {
		return nil, fmt.Errorf("dataset: %s: parameters stuck, spikes and strangers add up to %d hours and must be at most half of hours=%d", name, broken, c.Hours)
	}
	d := len(sensorColumns)
	set, err := tableOf(name, c.Hours, d)
	if err != nil {
		return nil, err
	}
	truth := &Truth{Outlier: make([]bool, c.Hours), Note: make([]string, c.Hours), Center: make([]float64, d)}
	for j, col := range sensorColumns {
		set.Columns[j], truth.Center[j] = col.name, col.rest
	}
	truth.Basis = sensorBasis()
	c.readings(ctx, set, seed)
	truth.CleanX = mat.DenseCopyOf(set.X)
	c.breakSome(set, truth, dataset.Random(seed, "sensors faults"))
	return &Generated{Set: set, Truth: truth}, nil
}

// readings fills the table with healthy readings.
func (c *Sensors) readings(ctx context.Context, set *dataset.Set, seed uint64) {
	causes, noise := dataset.Random(seed, "sensors causes"), dataset.Random(seed, "sensors noise")
	var drift, weather, valve float64 // slow random parts, stationary with variance 1
	for i := range each(ctx, c.Hours) {
		const keep = 0.85
		drift = keep*drift + math.Sqrt(1-keep*keep)*causes.NormFloat64()
		weather = 0.97*weather + math.Sqrt(1-0.97*0.97)*causes.NormFloat64()
		valve = 0.8*valve + 0.6*causes.NormFloat64()
		day := 2 * math.Pi * float64(i) / 24
		load := 0.8*math.Sin(day-2) + 0.3*math.Sin(2*day) + 0.6*drift
		outdoor := 0.9*math.Sin(day-2.6) + 0.6*weather
		row := set.X.RawRowView(i)
		for j, col := range sensorColumns {
			row[j] = col.rest + col.load*load + col.outdoor*outdoor + col.valve*valve + col.noise*noise.NormFloat64()
		}
	}
}

// breakSome puts the faults in.
func (c *Sensors) breakSome(set *dataset.Set, truth *Truth, r *rand.Rand) {
	const pressure = 3
	if c.Stuck > 0 {
		first := r.IntN(c.Hours - c.Stuck + 1)
		value := sensorColumns[pressure].rest - 38 + r.NormFloat64()
		for i := first; i < first+c.Stuck; i++ {
			set.X.Set(i, pressure, value)
			truth.Outlier[i], truth.Note[i] = true, "stuck: pressure_psi"
		}
	}
	free := func() int { // an hour in which nothing is broken yet
		for {
			if i := r.IntN(c.Hours); !truth.Outlier[i] {
				return i
			}
		}
	}
	for range c.Spikes {
		i := free()
		j := r.IntN(len(sensorColumns))
		row := set.X.RawRowView(i)
		if r.IntN(2) == 0 {
			row[j] *= 10
		} else {
			row[j] = -99 // what many loggers write when there is no signal
		}
		truth.Outlier[i], truth.Note[i] = true, "spike: "+sensorColumns[j].name
	}
	for range c.Strangers {
		i := free()
		row := set.X.RawRowView(i)
		// Another machine: runs hot, hardly pumps, draws current, shakes.
		u := random.Uniform(r, 0.8, 1.2)
		odd := []float64{20, 14, 96, 30, 22, 25, 88, 61, 55}
		for j, v := range odd {
			row[j] = v*u + 1.5*r.NormFloat64()
		}
		truth.Outlier[i], truth.Note[i] = true, "stranger"
	}
}

// sensorBasis is an orthonormal basis of the span of the three causes' effects.
func sensorBasis() *mat.Dense {
	frame := make([][]float64, 3)
	for j, col := range sensorColumns {
		for k, effect := range []float64{col.load, col.outdoor, col.valve} {
			if j == 0 {
				frame[k] = make([]float64, len(sensorColumns))
			}
			frame[k][j] = effect
		}
	}
	for k, v := range frame {
		for range 2 {
			for _, u := range frame[:k] {
				addScaled(v, -dot(u, v), u)
			}
		}
		length := math.Sqrt(dot(v, v))
		for j := range v {
			v[j] /= length
		}
	}
	return asColumns(frame)
}
