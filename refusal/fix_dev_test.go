package refusal_test

import (
	"fmt"
	"testing"

	"github.com/strata-go/strata/refusal"
)

func TestFixDev(t *testing.T) {
	for _, f := range fixtures {
		for _, x := range f.refusals {
			if s, sg := refusal.DevScore(x); s < .5 {
				fmt.Printf("%s FN %.2f %v %q\n", f.language, s, sg, x)
			}
		}
		for _, x := range f.answers {
			if s, sg := refusal.DevScore(x); s >= .5 {
				fmt.Printf("%s FP %.2f %v %q\n", f.language, s, sg, x)
			}
		}
	}
}
