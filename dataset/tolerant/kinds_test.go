package tolerant

import (
	"testing"
)

func TestNoDates(t *testing.T) {
	for _, text := range []string{"2024-13-01", "2023-02-29", "31/31/2024", "2024-1", "1.2.3", "12-34", "25:00", "12:60", "1/2", "May", "99999999", "2024-01-01x", "Mon", "10.5.", "2024-01-01 12", "-5-5-2024"} {
		if s, ok := parseStamp([]byte(text)); ok {
			_, a := s.seconds(dayFirst)
			_, b := s.seconds(monthFirst)
			if a || b {
				t.Errorf("%q was taken for a date", text)
			}
		}
	}
}
