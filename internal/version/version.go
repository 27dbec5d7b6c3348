// Package version names this program's version for the command line and for the files
// it writes.
package version

import (
	"runtime/debug"
	"strings"
)

// Release is the version that CHANGELOG.md describes.
const Release = "0.1.0"

// String is the release, followed by the commit it was built from where the Go tool
// recorded one: "0.1.0+175a6c35f8c7", with ".dirty" when files were changed since.
func String() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Release
	}
	return describe(Release, info.Settings)
}

func describe(release string, settings []debug.BuildSetting) string {
	var revision, dirty string
	for _, s := range settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value
		case "vcs.modified":
			if s.Value == "true" {
				dirty = ".dirty"
			}
		}
	}
	if revision == "" {
		return release
	}
	var b strings.Builder
	b.WriteString(release)
	b.WriteByte('+')
	b.WriteString(revision[:min(12, len(revision))])
	b.WriteString(dirty)
	return b.String()
}
