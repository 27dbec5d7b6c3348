package papers

import (
	"os"
	"path/filepath"
	"testing"
)

// committed is the folder with the results that the documents show.
const committed = "../../docs/replication"

// needRecords skips a test of the committed verdicts and records where they are not: a module
// that was downloaded comes without them. In the repository they must be there.
func needRecords(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(committed, "records")); err == nil {
		return
	}
	if _, err := os.Stat("../../.git"); err == nil {
		t.Fatal("docs/replication/records is missing from the repository")
	}
	t.Skip("docs is not here: it is a module of its own, which the repository has")
}
