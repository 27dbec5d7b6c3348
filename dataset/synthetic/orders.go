package synthetic

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/internal/setting"
)

// Orders makes a table of orders as a shop would export it, with mistakes of the kinds that people
// and programs make. Its numbers obey laws: net = quantity * price less the discount, vat = net *
// rate, total = net + vat, the weight follows product and quantity, shipping follows weight, goods
// are shipped after they are ordered. One mistake is made in each of a share of the rows:
//
//	times10, times100, tenth   a slipped decimal point
//	swapped                    two cells of the row exchanged
//	unit                       the weight in grams or pounds
//	sign                       the wrong sign
//	impossible                 a value of another order, or shipped before ordered: usual by itself
//	sentinel                   -999 or 9999 in place of a value
//
// and in further rows, where Words says so, text goes wrong: a category misspelt (typo) or words in a
// cell of numbers (unreadable). Writing is plain (numbers only), us or europe: then Generated.Sheet holds
// the file as a person would see it, with ids, categories, free text, a doubled column name,
// currencies, percent signs, dates, and marks for what is missing.
type Orders struct {
	N       int
	Errors  float64
	Words   float64
	Missing float64
	Writing string
}

// DefaultOrders is 1200 orders in American writing with one wrong in twenty.
func DefaultOrders() Orders {
	return Orders{N: 1200, Errors: 0.04, Words: 0.01, Missing: 0.02, Writing: "us"}
}

func (c *Orders) fields() []setting.Field {
	return []setting.Field{
		setting.Int("n", &c.N, 1, 1e8, "orders"),
		setting.Float("errors", &c.Errors, setting.Between(0, 0.5), "share of the rows with a wrong number"),
		setting.Float("words", &c.Words, setting.Between(0, 0.2), "share of the rows with a wrong word"),
		setting.Float("missing", &c.Missing, setting.Between(0, 0.5), "share of the cells of discount, weight and shipping that are missing"),
		setting.Choice("writing", &c.Writing, []string{"plain", "us", "europe"}, "numbers only, or the whole table as it is written there"),
	}
}

// Columns of numbers in the table.
const (
	orderOrdered = iota // days since the first day
	orderShipped
	orderQuantity
	orderPrice
	orderDiscount // percent
	orderNet
	orderRate // percent
	orderVAT
	orderTotal
	orderWeight // kg
	orderShipping
	orderColumns
)

var orderNames = [orderColumns]string{"ordered", "shipped", "quantity", "unit price", "discount", "net", "vat rate", "vat", "total", "weight", "shipping"}

// orderWords are what stands beside the numbers of one order.
type orderWords struct{ product, country, payment int }

var (
	orderProducts = []string{"desk lamp", "office chair", "notebook", "monitor", "keyboard", "standing desk", "headset", "whiteboard"}
	orderPrices   = []float64{39, 189, 4.5, 279, 69, 449, 99, 129}
	orderWeights  = []float64{1.4, 14, 0.35, 5.2, 0.9, 32, 0.4, 7.5}
	orderPayments = []string{"card", "invoice", "transfer", "wallet"}
	orderLands    = map[string][]string{
		"us":     {"Ohio", "Texas", "Oregon", "New York", "Florida"},
		"europe": {"Germany", "France", "Austria", "Netherlands", "Denmark"},
	}
	orderRates = map[string][]float64{"us": {5.75, 6.25, 4, 8.88, 6}, "europe": {19, 20, 20, 21, 25}}
)

// Generate makes the table. Truth has Outlier, Note (the kind of mistake), Guilty (its columns) and CleanX.
func (c *Orders) Generate(seed uint64) (*Generated, error) {
	return c.generate(context.Background(), seed)
}

func (c *Orders) generate(ctx context.Context, seed uint64) (*Generated, error) {
	const name = "orders"
	if err := setting.Check(name, c.fields()); err != nil {
		return nil, err
	}
	set, err := tableOf(name, c.N, orderColumns)
	if err != nil {
		return nil, err
	}
	copy(set.Columns, orderNames[:])
	beside := c.fill(ctx, set.X, dataset.Random(seed, "orders rows"))
	truth := &Truth{Outlier: make([]bool, c.N), Note: make([]string, c.N), Guilty: make([]string, c.N), CleanX: mat.DenseCopyOf(set.X)}
	c.spoil(set.X, truth, dataset.Random(seed, "orders mistakes"))
	r := dataset.Random(seed, "orders missing")
	for i := range each(ctx, c.N) {
		for _, j := range []int{orderDiscount, orderWeight, orderShipping} {
			if r.Float64() < c.Missing && truth.CleanX.At(i, j) == set.X.At(i, j) {
				set.X.Set(i, j, math.NaN())
			}
		}
	}
	made := &Generated{Set: set, Truth: truth}
	if c.Writing != "plain" && ctx.Err() == nil {
		made.Sheet = c.sheet(ctx, set.X, beside, truth, seed)
	}
	return made, nil
}

// land is the country of writing, for laws that differ.
func (c *Orders) land() string {
	if c.Writing == "europe" {
		return "europe"
	}
	return "us"
}

// fill writes orders in which everything is right.
func (c *Orders) fill(ctx context.Context, x *mat.Dense, r *rand.Rand) []orderWords {
	beside := make([]orderWords, c.N)
	rates := orderRates[c.land()]
	for i := range each(ctx, len(beside)) {
		w := orderWords{r.IntN(len(orderProducts)), r.IntN(len(rates)), r.IntN(len(orderPayments))}
		beside[i] = w
		row := x.RawRowView(i)
		row[orderOrdered] = math.Floor(float64(i) * 365 / float64(c.N))
		row[orderShipped] = row[orderOrdered] + 1 + math.Floor(r.ExpFloat64()*2)
		row[orderQuantity] = 1 + math.Floor(r.ExpFloat64()*3)
		row[orderPrice] = cents(orderPrices[w.product] * math.Exp(0.08*r.NormFloat64()))
		if r.IntN(3) == 0 {
			row[orderDiscount] = float64(5 * (1 + r.IntN(4)))
		}
		row[orderNet] = cents(row[orderQuantity] * row[orderPrice] * (1 - row[orderDiscount]/100))
		row[orderRate] = rates[w.country]
		row[orderVAT] = cents(row[orderNet] * row[orderRate] / 100)
		row[orderTotal] = cents(row[orderNet] + row[orderVAT])
		row[orderWeight] = cents(row[orderQuantity] * orderWeights[w.product] * (1 + 0.03*r.NormFloat64()))
		row[orderShipping] = cents(4.9 + 0.7*row[orderWeight] + 1.5*float64(w.country) + 0.4*r.NormFloat64())
	}
	return beside
}

func cents(v float64) float64 { return math.Round(v*100) / 100 }

// spoil makes one mistake in each of the chosen rows, the kinds in turn.
func (c *Orders) spoil(x *mat.Dense, truth *Truth, r *rand.Rand) {
	kinds := []string{"times10", "tenth", "swapped", "unit", "impossible", "times100", "sign", "sentinel"}
	amounts := []int{orderQuantity, orderPrice, orderNet, orderVAT, orderTotal, orderWeight, orderShipping}
	for k, i := range r.Perm(c.N)[:share(c.Errors, c.N)] {
		kind := kinds[k%len(kinds)]
		row := x.RawRowView(i)
		j := amounts[r.IntN(len(amounts))]
		guilty := orderNames[j]
		switch kind {
		case "times10":
			row[j] = cents(row[j] * 10)
		case "times100":
			j = amounts[1+r.IntN(len(amounts)-1)]
			guilty, row[j] = orderNames[j], cents(row[j]*100)
		case "tenth":
			j = amounts[1+r.IntN(len(amounts)-1)] // a tenth of a quantity would not be a whole number
			guilty, row[j] = orderNames[j], cents(row[j]/10)
		case "swapped":
			pair := [][2]int{{orderQuantity, orderPrice}, {orderNet, orderVAT}, {orderVAT, orderTotal}, {orderWeight, orderShipping}}[r.IntN(4)]
			row[pair[0]], row[pair[1]] = row[pair[1]], row[pair[0]]
			guilty = orderNames[pair[0]] + "+" + orderNames[pair[1]]
		case "unit":
			row[orderWeight] = cents(row[orderWeight] * []float64{1000, 2.20462}[r.IntN(2)])
			guilty = orderNames[orderWeight]
		case "sign":
			row[j] = -row[j]
		case "impossible":
			guilty = c.impossible(x, i, r)
		case "sentinel":
			j = []int{orderWeight, orderShipping}[r.IntN(2)]
			guilty, row[j] = orderNames[j], []float64{-999, 9999}[r.IntN(2)]
		}
		truth.Outlier[i], truth.Note[i], truth.Guilty[i] = true, kind, guilty
	}
}

// impossible puts a value into a row that is usual by itself but cannot stand there.
func (c *Orders) impossible(x *mat.Dense, i int, r *rand.Rand) string {
	if r.IntN(4) == 0 {
		x.Set(i, orderShipped, x.At(i, orderOrdered)-1-float64(r.IntN(20)))
		return orderNames[orderShipped]
	}
	j := []int{orderNet, orderTotal, orderWeight}[r.IntN(3)]
	own := x.At(i, j)
	for range 1000 {
		if v := x.At(r.IntN(c.N), j); v > 0 && math.Abs(math.Log(v/own)) > math.Log(3) {
			x.Set(i, j, v)
			return orderNames[j]
		}
	}
	x.Set(i, j, cents(own*4)) // hardly any other order
	return orderNames[j]
}
