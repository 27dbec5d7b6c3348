package loss

import (
	"fmt"

	"github.com/inlier-ml/inlier/internal/suggest"
)

// suggestion is `, did you mean "x"?` for the known name nearest to a mistyped one, or
// nothing when none is near.
func suggestion(typed string, known []string) string {
	nearest := suggest.Nearest(typed, known)
	if nearest == "" {
		return ""
	}
	return fmt.Sprintf(", did you mean %q?", nearest)
}
