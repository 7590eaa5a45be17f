package conformance_test

import (
	"os"
	"testing"

	"github.com/strata-go/strata/conformance"
)

// TestCases runs the cases in testdata, or in the folder that the environment
// variable STRATA_CASES names.
func TestCases(t *testing.T) {
	dir := os.Getenv("STRATA_CASES")
	if dir == "" {
		dir = "testdata"
	}
	conformance.Run(t, dir)
}
