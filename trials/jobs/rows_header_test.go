package jobs

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
)

// spectra is a table whose columns are called by numbers, in a chosen order.
func spectra(rows int, reversed bool) string {
	line := func(a, b, c, y string) string {
		if reversed {
			a, c = c, a
		}
		return strings.TrimSuffix(a+","+b+","+c+","+y, ",") + "\n"
	}
	text := line("400.0", "401.5", "3", "")
	for i := range rows {
		text += line(fmt.Sprint(100+i*5%17), fmt.Sprint(200+i*i%13), fmt.Sprint(300+i*7%11), "")
	}
	return text
}

// A line that holds the names of the model's columns is the header, whatever they look like and whatever their order is.
func TestNamesOfTheModelAreTheHeader(t *testing.T) {
	for _, tolerant := range []bool{false, true} {
		fit, err := inlier.Fit{Method: "pca", Parameters: map[string]string{"components": "2"}, Data: inlier.Data{Path: saved(t, spectra(30, false)), Header: "yes", Tolerant: tolerant}}.Run(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		m, err := fit.Fitted().Open()
		if err != nil {
			t.Fatal(err)
		}
		for _, reversed := range []bool{false, true} {
			for _, asked := range []bool{false, true} {
				set, err := m.Read(context.Background(), inlier.Data{Path: saved(t, spectra(2, reversed)), Tolerant: asked}, false, nil)
				if err != nil {
					t.Errorf("tolerant %v, then %v, reversed %v: %v", tolerant, asked, reversed, err)
					continue
				}
				if r := set.X.RawRowView(0); set.Rows() != 2 || r[0] != 100 || r[1] != 200 || r[2] != 300 {
					t.Errorf("tolerant %v, then %v, reversed %v: %d rows, the first %v", tolerant, asked, reversed, set.Rows(), r)
				}
			}
		}
		// A column called 3 is not the third one.
		for _, asked := range []bool{false, true} {
			set, err := m.Read(context.Background(), inlier.Data{Path: saved(t, "400.0,401.5,temperature\n100,200,37\n101,201,38\n"), Tolerant: asked, Header: "yes"}, false, nil)
			if err == nil || !strings.Contains(err.Error(), "3") {
				t.Errorf("tolerant %v, then %v: %v, %v", tolerant, asked, set, err)
			}
		}
	}
	// Also where a batch is checked.
	learned, err := inlier.Check{Paths: []string{saved(t, spectra(60, false))}, Reading: inlier.Reading{Header: "yes"}}.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, reversed := range []bool{false, true} {
		got, err := inlier.Check{Paths: []string{saved(t, spectra(5, reversed))}, Learned: learned.Model}.Run(context.Background(), nil)
		if err != nil || got.Rows != 5 {
			t.Errorf("reversed %v: %+v, %v", reversed, got, err)
		}
	}
}
