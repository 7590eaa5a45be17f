package parity_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain has more tests run side by side than there are processors: most of
// their time they wait for servers that stall.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "16"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
