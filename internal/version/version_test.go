package version

import (
	"runtime/debug"
	"testing"
)

func TestDescribe(t *testing.T) {
	for _, c := range []struct {
		want     string
		settings []debug.BuildSetting
	}{
		{"1.2.3", nil},
		{"1.2.3+0123456789ab", []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef"}, {Key: "vcs.modified", Value: "false"}}},
		{"1.2.3+01.dirty", []debug.BuildSetting{{Key: "vcs.modified", Value: "true"}, {Key: "vcs.revision", Value: "01"}}},
	} {
		if got := describe("1.2.3", c.settings); got != c.want {
			t.Errorf("describe gave %q, want %q", got, c.want)
		}
	}
}
