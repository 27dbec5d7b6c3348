package tolerant

import (
	"testing"
)

// Days that workbooks count from 1899-12-30, or 1904-01-01, by Python: datetime.date(1899, 12, 30) + datetime.timedelta(110000).
func TestDaysOfWorkbooks(t *testing.T) {
	b := &workbook{since: daysSince1970(1899, 12, 30)}
	for text, want := range map[string]string{"45322": "2024-01-31", "2958465": "9999-12-31", "45322.5": "2024-01-31 12:00:00", "110000": "2201-03-02"} {
		if got := b.day(text, dateOnly); got != want {
			t.Errorf("%s is %s", text, got)
		}
	}
	if got := (&workbook{since: daysSince1970(1904, 1, 1)}).day("43860", dateOnly); got != "2024-01-31" {
		t.Errorf("since 1904: %s", got)
	}
}
