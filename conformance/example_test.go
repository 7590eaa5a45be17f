package conformance_test

import (
	"fmt"

	"github.com/strata-go/strata/conformance"
)

func ExampleLoad() {
	cases, err := conformance.Load("testdata")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range cases {
		if c.Name == "cancel-during-a-wait" {
			fmt.Printf("%s: %s\n", c.File, c.About)
		}
	}
	// Output:
	// cancel.json: The caller cancels during a wait: it ends at that moment and nothing more is sent.
}
