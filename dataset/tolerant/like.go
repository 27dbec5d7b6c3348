package tolerant

import "strings"

// earlier is the column of that name in an earlier table of the same kind; nil where there is none.
func (o *Options) earlier(name string) *Column {
	for k := range o.Like {
		if o.Like[k].Name == name {
			return &o.Like[k]
		}
	}
	return nil
}

// marks tell whether decimals of the column stand behind a comma, where its writing tells.
func (c *Column) marks() (comma, known bool) {
	if c == nil || c.Kind != Number {
		return false, false
	}
	return c.Comma || c.Grouping == ".", c.Comma || c.Decimals > 0 || c.Grouping == "." || c.Grouping == ","
}

// order is that of day, month and year in the dates of the column, where their layout tells.
func (c *Column) order() (o order, known bool) {
	if c == nil || c.Kind != Date || strings.HasPrefix(c.Layout, "2006") || strings.Contains(c.Layout, "Jan") {
		return monthFirst, false
	}
	if strings.HasPrefix(c.Layout, "06") {
		return yearFirst, true
	}
	day, month := strings.IndexByte(c.Layout, '2'), strings.IndexByte(c.Layout, '1')
	if day < 0 || month < 0 {
		return monthFirst, false
	}
	if day < month {
		return dayFirst, true
	}
	return monthFirst, true
}

// like takes what the file does not tell from how columns of an earlier table were written.
func (l *locale) like(columns []Column) {
	marks, orders := 0, 0
	for j := range columns {
		if comma, known := columns[j].marks(); known && comma {
			marks++
		} else if known {
			marks--
		}
		if o, known := columns[j].order(); known && o == dayFirst {
			orders++
		} else if known && o == monthFirst {
			orders--
		}
	}
	if !l.comma && !l.point && marks != 0 {
		l.comma, l.earlierMarks = marks > 0, true
	}
	if !l.dayFirst && !l.monthDay && orders != 0 {
		l.dayFirst, l.monthDay, l.earlierOrder = orders > 0, orders < 0, true
	}
}
