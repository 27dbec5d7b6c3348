package synthetic

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/internal/setting"
)

// SensorLog makes a log of readings at even steps of time. Slow hidden causes move the channels
// together; each has its own unit and noise. What goes wrong is what loggers do:
//
//	spike   single readings far off, dropped to zero, or ten times too large
//	stuck   a channel repeats one reading for a while
//	drift   a channel wanders off slowly, then returns
//	shift   the level of a channel jumps for a while
//
// Writing is plain (the channels as numbers) or log: then Generated.Sheet has the time as a column too.
type SensorLog struct {
	N, Channels  int
	Spikes       int
	Stuck, Drift int // rows of each, in one run
	Shift        int
	Writing      string
}

// DefaultSensorLog is two months of hours with some five rows wrong in a hundred.
func DefaultSensorLog() SensorLog {
	return SensorLog{N: 1440, Channels: 8, Spikes: 24, Stuck: 18, Drift: 24, Shift: 12, Writing: "log"}
}

func (c *SensorLog) fields() []setting.Field {
	return []setting.Field{
		setting.Int("n", &c.N, 100, 1e8, "rows, one per hour"),
		setting.Int("channels", &c.Channels, 2, 1000, "columns of readings"),
		setting.Int("spikes", &c.Spikes, 0, 1e7, "rows with a single reading far off"),
		setting.Int("stuck", &c.Stuck, 0, 1e7, "rows in which a channel repeats itself"),
		setting.Int("drift", &c.Drift, 0, 1e7, "rows in which a channel wanders off"),
		setting.Int("shift", &c.Shift, 0, 1e7, "rows in which a channel's level has jumped"),
		setting.Choice("writing", &c.Writing, []string{"plain", "log"}, "the channels alone, or a log with its time"),
	}
}

// logUnits are what channels measure: name, level, spread.
var logUnits = []struct {
	name         string
	level, sweep float64
}{
	{"temp_c", 21, 4}, {"pressure_hpa", 1013, 8}, {"flow_lpm", 120, 25}, {"humidity_pct", 55, 9}, {"voltage_v", 230, 3},
	{"current_a", 14, 4}, {"vibration_mms", 2.8, 0.7}, {"level_cm", 340, 40},
}

// Generate makes the log. Truth has Outlier, Note, Guilty and CleanX.
func (c *SensorLog) Generate(seed uint64) (*Generated, error) {
	return c.generate(context.Background(), seed)
}

func (c *SensorLog) generate(ctx context.Context, seed uint64) (*Generated, error) {
	const name = "sensor-log"
	if err := setting.Check(name, c.fields()); err != nil {
		return nil, err
	}
	if wrong := c.Spikes + c.Stuck + c.Drift + c.Shift; wrong > c.N/4 {
		return nil, fmt.Errorf("dataset: %s: parameters spikes, stuck, drift and shift add up to %d rows and must be at most a quarter of n=%d", name, wrong, c.N)
	}
	set, err := tableOf(name, c.N, c.Channels)
	if err != nil {
		return nil, err
	}
	for j := range set.Columns {
		u := logUnits[j%len(logUnits)]
		if set.Columns[j] = u.name; j >= len(logUnits) {
			set.Columns[j] += "_" + strconv.Itoa(j/len(logUnits)+1)
		}
	}
	c.readings(ctx, set.X, dataset.Random(seed, "sensor-log rows"))
	truth := &Truth{Outlier: make([]bool, c.N), Note: make([]string, c.N), Guilty: make([]string, c.N), CleanX: mat.DenseCopyOf(set.X)}
	c.spoil(set, truth, dataset.Random(seed, "sensor-log faults"))
	made := &Generated{Set: set, Truth: truth}
	if c.Writing == "log" {
		made.Sheet = c.sheet(ctx, set)
	}
	return made, nil
}

// readings fills the log with intact readings: daily and slow causes, and each channel's noise.
func (c *SensorLog) readings(ctx context.Context, x *mat.Dense, r *rand.Rand) {
	const causes = 3
	loads := mat.NewDense(c.Channels, causes, nil)
	for j := range c.Channels {
		load := loads.RawRowView(j)
		normals(r, load, 1)
		length := math.Sqrt(dot(load, load))
		for k := range load {
			load[k] /= length
		}
	}
	var slow [causes]float64
	for i := range each(ctx, c.N) {
		for k, keep := range [causes]float64{0.9, 0.97, 0.8} {
			slow[k] = keep*slow[k] + math.Sqrt(1-keep*keep)*r.NormFloat64()
		}
		day := 2 * math.Pi * float64(i) / 24
		hidden := []float64{math.Sin(day) + 0.6*slow[0], slow[1], 0.7*math.Cos(day) + 0.7*slow[2]}
		for j := range c.Channels {
			u := logUnits[j%len(logUnits)]
			x.Set(i, j, cents(u.level+u.sweep*(dot(hidden, loads.RawRowView(j))+0.12*r.NormFloat64())))
		}
	}
}

// spoil puts the faults in: runs first, then spikes where nothing is wrong yet.
func (c *SensorLog) spoil(set *dataset.Set, truth *Truth, r *rand.Rand) {
	mark := func(i, j int, kind string) {
		truth.Outlier[i], truth.Note[i], truth.Guilty[i] = true, kind, set.Columns[j]
	}
	for _, run := range []struct {
		kind   string
		length int
	}{{"stuck", c.Stuck}, {"drift", c.Drift}, {"shift", c.Shift}} {
		if run.length == 0 {
			continue
		}
		first := c.room(truth, run.length, r)
		j := r.IntN(c.Channels)
		sweep := logUnits[j%len(logUnits)].sweep
		held, sign := set.X.At(first, j), float64(2*r.IntN(2)-1)
		for k := range run.length {
			i := first + k
			switch run.kind {
			case "stuck":
				set.X.Set(i, j, held)
			case "drift":
				set.X.Set(i, j, cents(set.X.At(i, j)+sign*sweep*4*float64(k+1)/float64(run.length)))
			case "shift":
				set.X.Set(i, j, cents(set.X.At(i, j)+sign*sweep*3))
			}
			mark(i, j, run.kind)
		}
	}
	for range c.Spikes {
		i := c.room(truth, 1, r)
		j := r.IntN(c.Channels)
		v, sweep := set.X.At(i, j), logUnits[j%len(logUnits)].sweep
		switch r.IntN(3) {
		case 0:
			v = cents(v + float64(2*r.IntN(2)-1)*sweep*(3+3*r.Float64()))
		case 1:
			v = 0
		default:
			v = cents(v * 10)
		}
		set.X.Set(i, j, v)
		mark(i, j, "spike")
	}
}

// room is the first of so many rows in a line in which nothing is wrong.
func (c *SensorLog) room(truth *Truth, length int, r *rand.Rand) int {
	for {
		first := r.IntN(c.N - length + 1)
		free := true
		for i := first; i < first+length && free; i++ {
			free = !truth.Outlier[i]
		}
		if free {
			return first
		}
	}
}

func (c *SensorLog) sheet(ctx context.Context, set *dataset.Set) *Sheet {
	s := &Sheet{Columns: append([]string{"time"}, set.Columns...), Delimiter: ",", LineEnd: "\n", Rows: make([][]string, c.N)}
	first := time.Date(2025, 3, 1, 0, 0, 0, 0, time.UTC)
	for i := range each(ctx, len(s.Rows)) {
		s.Rows[i] = append(s.Rows[i], first.Add(time.Duration(i)*time.Hour).Format("2006-01-02 15:04:05"))
		for _, v := range set.X.RawRowView(i) {
			s.Rows[i] = append(s.Rows[i], strconv.FormatFloat(v, 'f', 2, 64))
		}
	}
	return s
}
