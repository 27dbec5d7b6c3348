package tolerant

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// money are names of currencies that stand before or behind amounts.
var money = map[string]string{
	"usd": "$", "us$": "$", "eur": "€", "euro": "€", "euros": "€", "gbp": "£", "jpy": "¥", "yen": "¥", "chf": "", "sfr": "", "fr": "", "fr.": "", "sek": "", "nok": "", "dkk": "",
	"kr": "", "kr.": "", "cad": "", "c$": "", "aud": "", "a$": "", "nz$": "", "nzd": "", "hk$": "", "hkd": "", "sgd": "", "s$": "", "inr": "₹", "rs": "₹", "rs.": "₹", "cny": "", "rmb": "",
	"brl": "r$", "r$": "", "pln": "", "zł": "", "czk": "", "kč": "", "huf": "", "ft": "", "rub": "₽", "try": "₺", "zar": "", "mxn": "", "mx$": "", "ils": "₪", "krw": "₩", "thb": "฿", "dm": "",
}

// isMoney tells whether a text is a sign or the name of a currency.
func isMoney(b []byte) bool {
	if onlySymbols(b) && len(b) > 0 {
		return true
	}
	if len(b) > 5 {
		return false
	}
	_, known := money[strings.ToLower(string(b))]
	return known
}

// onlySymbols tells whether a text holds nothing but signs of currencies and blanks.
func onlySymbols(b []byte) bool {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r != ' ' && !unicode.Is(unicode.Sc, r) {
			return false
		}
		b = b[n:]
	}
	return true
}

// isUnit tells whether a text behind a number may be its unit: %, €, kg, m/s², °C, rpm.
func isUnit(b []byte) bool {
	if len(b) > 16 || len(b) > 1 && isDigit(b[1]) && (b[0]|0x20 == 'd' || b[0]|0x20 == 'x') { // of 1d5 and 0x1p4
		return false
	}
	letters := 0
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		switch {
		case unicode.IsLetter(r):
			letters++
		case r == '%', r == '‰', r == '°', r == 'º', r == '"', r == '\'', r == '″', r == '′', r == '²', r == '³', unicode.Is(unicode.Sc, r):
			letters++
		case i > 0 && (r == '/' || r == '.' || r == '·' || r == '^' || r == '*' || isDigit(b[i])):
		default:
			return false
		}
		i += n
	}
	return letters > 0 && letters <= 10
}

// sameUnit tells whether two units are the same in other writing: EUR and €, KG and kg. MW and mW are two.
func sameUnit(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	if one, known := measures[string(a)]; known {
		if other, also := measures[string(b)]; also {
			return one == other
		}
	}
	if bytes.EqualFold(a, b) {
		return true
	}
	return plainUnit(a) == plainUnit(b)
}

// unitForms are other ways to write parts of units.
var unitForms = strings.NewReplacer("²", "2", "³", "3", "^", "", "º", "°", "μ", "µ", "\u00a0", " ")

func plainUnit(b []byte) string {
	unit := strings.TrimSuffix(unitForms.Replace(strings.ToLower(string(b))), ".")
	if sign := money[unit]; sign != "" {
		return sign
	}
	return unit
}
