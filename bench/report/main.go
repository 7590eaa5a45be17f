// Report reads what the benchmarks of both sides printed, round after round, from
// its standard input, and writes benchmarks.md and its charts into a folder.
//
//	report docs < results
package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("usage: report FOLDER < results")
	}
	r, err := parse(os.Stdin)
	if err != nil {
		return err
	}
	files := map[string]string{
		"benchmarks.md":         r.document(),
		"benchmarks-layers.svg": r.layersChart().svg(),
		"benchmarks-parts.svg":  r.partsChart().svg(),
	}
	if lacking := slices.Sorted(maps.Keys(r.lacking)); len(lacking) > 0 {
		return fmt.Errorf("%d values are not among the results, such as %q", len(lacking), lacking[:min(5, len(lacking))])
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(args[0], name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	for _, t := range r.targets() {
		fmt.Println(t)
	}
	return nil
}
