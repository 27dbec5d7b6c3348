package words

import (
	"testing"

	"github.com/inlier-ml/inlier/internal/words"
)

func TestRanges(t *testing.T) {
	for _, c := range []struct {
		rows []int
		most int
		want string
	}{
		{nil, 5, ""},
		{[]int{4}, 5, "4"},
		{[]int{1, 2}, 5, "1, 2"},
		{[]int{1, 2, 3, 7, 9, 10, 11}, 5, "1-3, 7, 9-11"},
		{[]int{1, 3, 5, 7, 8, 9}, 3, "1, 3, 5, and 3 more"},
		{[]int{1, 2, 4, 5, 7, 8, 10, 11}, 3, "1, 2, 4, 5, and 4 more"}, // two rows are two parts
	} {
		if got := words.Ranges(c.rows, c.most); got != c.want {
			t.Errorf("ranges(%v) is %q, want %q", c.rows, got, c.want)
		}
	}
}

func TestShortened(t *testing.T) {
	for in, want := range map[string]string{
		"tukey:c=0.5484109239375735": "tukey:c=0.548411", "rank=15x15 tol=1e-09 seed=123456789": "rank=15x15 tol=1e-09 seed=123456789",
		"sigma=1.2345678901e-07 p=2": "sigma=1.23457e-07 p=2", "0.5": "0.5",
	} {
		if got := words.Shortened(in); got != want {
			t.Errorf("%q is shortened to %q, want %q", in, got, want)
		}
	}
}

// TestValuesKeepTheirWholeDigits: numbers that differ before the point are written differently.
func TestValuesKeepTheirWholeDigits(t *testing.T) {
	for v, want := range map[float64]string{1234567: "1234567", 1234568: "1234568", 20250131: "20250131", -123456789.4: "-123456789", 999999: "999999",
		1234567.5: "1234568", 0.1: "0.1", 3.14159265: "3.14159", 1e15: "1e+15", 1e300: "1e+300", 1e-9: "1e-09"} {
		if got := words.Value(v, 6); got != want {
			t.Errorf("%v is written as %s, want %s", v, got, want)
		}
	}
}

// TestFewAreNotNone: a small share is not written as 0 %.
func TestFewAreNotNone(t *testing.T) {
	for share, want := range map[float64]string{0: "0", 2.0 / 5000: "0.04", 1e-7: "0.00001", 0.0005: "0.1", 0.5: "50", 0.1234: "12.3", 1: "100", 0.00096: "0.1"} {
		if got := words.Percent(share); got != want {
			t.Errorf("%v is written as %s, want %s", share, got, want)
		}
	}
}
