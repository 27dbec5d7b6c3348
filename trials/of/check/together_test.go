package check

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/internal/random"
)

// said looks for a group of so many rows whose text has all of the words.
func saidOfGroup(r *check.Result, rows int, wanted ...string) bool {
	for _, g := range r.Groups {
		all := len(g.Rows) == rows
		for _, w := range wanted {
			all = all && strings.Contains(g.Text, w)
		}
		if all {
			return true
		}
	}
	return false
}

// What one clerk writes in another way throughout is told once, as both readings are possible, and not row by row.
func TestMistakesOfOneClerkAreTold(t *testing.T) {
	for _, every := range []int{8, 12} { // one in so many rows is the clerk's
		table := ordersTable(480, 5)
		net, total := &table.Columns[2], -1
		for c := range table.Columns {
			if table.Columns[c].Name == "total" {
				total = c
			}
			if table.Columns[c].Name == "net" {
				net = &table.Columns[c]
			}
		}
		clerk := make([]string, table.Rows)
		for i := range clerk {
			clerk[i] = fmt.Sprintf("K%d", 1+i%4)
			if i%every == 5 {
				clerk[i] = "K7"
				table.Columns[total].Values[i] = net.Values[i]
			}
		}
		table.Columns = append(table.Columns, categoryColumn("clerk", clerk))
		_, r := wrongRows(t, table)
		if !saidOfGroup(r, 480/every, `clerk "K7"`, "break total = net + vat", "or one mistake") {
			t.Errorf("every %d: groups %v, relations %q", every, r.Groups, texts(r.Relations))
		}
	}
}

// The pressure of one machine in another unit.
func TestMistakesOfOneMachineAreTold(t *testing.T) {
	r := random.New(8, "machines")
	const n = 600
	flow, pressure, power := make([]float64, n), make([]float64, n), make([]float64, n)
	machine := make([]string, n)
	for i := range n {
		z := r.NormFloat64()
		flow[i], pressure[i], power[i] = math.Round(100+20*z+4*r.NormFloat64()), math.Round(10*(30+5*z+r.NormFloat64()))/10, math.Round(400+80*z+15*r.NormFloat64())
		machine[i] = fmt.Sprintf("M%d", 1+i%9)
		if machine[i] == "M3" {
			pressure[i] *= 10
		}
	}
	table := numbersTable([]string{"flow", "pressure", "power"}, flow, pressure, power)
	table.Columns = append(table.Columns, categoryColumn("machine", machine))
	_, result := wrongRows(t, table)
	if !saidOfGroup(result, 67, `machine "M3"`, "pressure") {
		t.Errorf("groups %v", result.Groups)
	}
}

// The doctors of a hospital are a group of its own: told once, with what sets it apart.
func TestFarGroupsAreToldByTheirWord(t *testing.T) {
	r := random.New(9, "hospital")
	const n = 900
	pay, hours, age := make([]float64, n), make([]float64, n), make([]float64, n)
	role := make([]string, n)
	doctors := 0
	for i := range n {
		role[i] = []string{"nurse", "porter", "clerk"}[r.IntN(3)]
		pay[i], hours[i], age[i] = math.Round(2600+300*r.NormFloat64()), math.Round(36+3*r.NormFloat64()), math.Round(42+10*r.NormFloat64())
		if i%9 == 2 {
			doctors++
			role[i], pay[i], hours[i] = "doctor", math.Round(9500+700*r.NormFloat64()), math.Round(52+4*r.NormFloat64())
		}
	}
	table := numbersTable([]string{"pay", "hours", "age"}, pay, hours, age)
	table.Columns = append(table.Columns, categoryColumn("role", role))
	rows, result := wrongRows(t, table)
	if len(rows) > 2 || !saidOfGroup(result, doctors, `role "doctor"`, "pay", "a group of its own") || len(result.Groups) > 1 {
		t.Errorf("%d rows are wrong, groups %v", len(rows), result.Groups)
	}
	for i := range n {
		if why := result.Why(i); result.Part[i] == check.PartExtreme && role[i] == "doctor" && !strings.Contains(why, "doctor") {
			t.Errorf("row %d: %s", i, why)
			break
		}
	}
}
